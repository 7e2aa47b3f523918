import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { breadcrumbs, LinkedData } from './public-head.tsx'

test('no title can close its element', () => {
  const name = '</script><script>alert(1)</script> <!-- &'
  const html = renderToStaticMarkup(<LinkedData graph={[{ '@type': 'Article', name }]} />)
  expect(html.match(/<\/script/g)).toHaveLength(1)
  expect(html).not.toContain('<!--')
  const text = /^<script[^>]*>(.*)<\/script>$/s.exec(html)?.[1] ?? ''
  expect(JSON.parse(text)['@graph']).toEqual([{ '@type': 'Article', name }])
})

test('breadcrumbs count from one', () => {
  const steps = [
    { name: 'Milepost', url: 'https://milepost.example/' },
    { name: 'Bread', url: 'https://milepost.example/world/p' },
  ]
  expect(breadcrumbs(steps).itemListElement).toMatchObject([
    { position: 1, name: 'Milepost', item: 'https://milepost.example/' },
    { position: 2, name: 'Bread', item: 'https://milepost.example/world/p' },
  ])
})
