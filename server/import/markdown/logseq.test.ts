import { expect, test } from 'vitest'
import { splitLogseq, tidyLogseq } from './logseq.ts'

test('the properties at the top of a page are its front matter', () => {
  expect(
    splitLogseq('title:: Page B\r\ntags:: x, [[two words]], #y\r\nid:: 64a\r\n\r\n- content\r\n'),
  ).toEqual({
    matter: { title: 'Page B', tags: ['x', 'two words', 'y'] },
    text: '\n- content\n',
    isBroken: false,
  })
  expect(tidyLogseq('Boats___Canoe')).toBe('Boats / Canoe')
})

test.each([
  ['- Woke up\n  id:: 64a\n  collapsed:: true\n\t- inner', '- Woke up\n\t- inner'],
  ['- TODO sand\n- DONE paint\n- CANCELED buy', '- [ ] sand\n- [x] paint\n- buy'],
  ['- ![keel](../assets/k.png){:height 100, :width 200}', '- ![keel](../assets/k.png)'],
  ['- wood:: cedar', '- wood:: cedar'],
  ['- x\n  ```\n  id:: 64a\n  ```', '- x\n  ```\n  id:: 64a\n  ```'],
  ['- ```\n  - TODO sand\n  ```\n- TODO sand', '- ```\n  - TODO sand\n  ```\n- [ ] sand'],
])('%j becomes %j', (text, expected) => {
  expect(splitLogseq(`\n${text}`).text).toBe(`\n${expected}`)
})
