import { Writable } from 'node:stream'
import { createElement, type ReactNode } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { SaxesParser } from 'saxes'

/**
 * The cost of React alone: receives the HTML of a page, then repeatedly a number of renderings of the same elements, and
 * reports when each batch is done.
 */
process.once('message', (html: string) => {
  const page = elementsOf(html)
  process.on('message', (count: number) => void renderTimes(page, count))
})

async function renderTimes(page: ReactNode, count: number): Promise<void> {
  for (let time = 0; time < count; time += 1) await render(page)
  process.send?.('done')
}

function render(page: ReactNode): Promise<void> {
  return new Promise((resolve, reject) => {
    const sink = new Writable({ write: (_chunk, _encoding, next) => next() }).once('finish', resolve)
    const { pipe } = renderToPipeableStream(page, { onAllReady: () => pipe(sink), onError: reject })
  })
}

type Open = { name: string; props: Record<string, unknown>; children: ReactNode[] }

/** Returns the elements of a page that React rendered, which is well-formed XML apart from its scripts. */
function elementsOf(html: string): ReactNode {
  const scripts: string[] = []
  const xml = html
    .replace(/^<!doctype html>/i, '')
    .replaceAll(/(<script[^>]*>)(.*?)<\/script>/gs, (_all, start: string, text: string) => {
      return `${start}${scripts.push(text) - 1}</script>`
    })
    .replaceAll(/<[a-z][^>]*>/g, (tag) =>
      tag.replaceAll(/ ([a-z-]+)(?=[ />])(?![^"]*"(?:[^"]*"[^"]*")*[^"]*$)/g, ' $1=""'),
    )
  const root: Open = { name: '', props: {}, children: [] }
  const open = [root]
  const parser = new SaxesParser()
  const add = (node: ReactNode) => open.at(-1)?.children.push(node)
  parser.on('opentag', ({ name, attributes }) => open.push({ name, props: attributes, children: [] }))
  parser.on('text', (text) => add(text))
  parser.on('closetag', () => {
    const { name, props, children } = open.pop() ?? root
    const __html = scripts[Number(children[0])] ?? ''
    add(
      name === 'script'
        ? createElement(name, { ...props, dangerouslySetInnerHTML: { __html } })
        : createElement(name, props, ...children),
    )
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
  return root.children[0]
}
