import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { separatePictures } from '#web/composer/attachments/file-text.ts'
import { fileReferences } from '#web/files/file-references.ts'
import { type Change, describing, mediaBlocks, moveBetween, moveWithin } from './media-blocks.ts'

const id = (number: number) => `0199a0b0-0000-7000-8000-${String(number).padStart(12, '0')}`
const picture = (number: number, caption = '') =>
  `![](/files/${id(number)}${caption === '' ? '' : ` "${caption}"`})`
const download = (number: number) => `[plan.pdf](/files/${id(number)})`

const drawn = (text: string) =>
  mediaBlocks(text).map(({ kind, from, to, items }) => [kind, text.slice(from, to), items.length])

function applied(text: string, changes: Change | readonly Change[] | null): string {
  const all = [changes ?? []].flat().toSorted((one, other) => other.from - one.from)
  return all.reduce((now, { from, to, insert }) => now.slice(0, from) + insert + now.slice(to), text)
}

test('adjacent lines of pictures are one gallery, also where several share a line', () => {
  const gallery = `${picture(1)}\n${picture(2)} ${picture(3)}`
  expect(drawn(`It rose.\n\n${gallery}\n\nThen\n${picture(4)}\n\n${picture(5)}`)).toEqual([
    ['media', gallery, 3],
    ['media', picture(4), 1],
    ['media', picture(5), 1],
  ])
})

test('a download is drawn by itself, and files among words below their line', () => {
  const quoted = `> ${picture(3)}`
  expect(drawn(`${download(1)}\n${download(2)}\n\n${quoted}\n\nSee ${download(4)}.`)).toEqual([
    ['download', download(1), 1],
    ['download', download(2), 1],
    ['inline', quoted, 1],
    ['inline', `See ${download(4)}.`, 1],
  ])
})

test('code stays code', () => {
  expect(drawn(`\`\`\`\n${picture(1)}\n\`\`\`\n\n${picture(2)}`)).toEqual([['media', picture(2), 1]])
})

test('a picture takes the place of another one, and what is between them stays', () => {
  const text = `a\n\n${picture(1, 'one')}\n${picture(2)}  ${picture(3)}\n\nb`
  const [block] = mediaBlocks(text)
  if (!block) throw new Error('there is no gallery')
  expect(applied(text, moveWithin(text, block, 0, 2))).toBe(
    `a\n\n${picture(2)}\n${picture(3)}  ${picture(1, 'one')}\n\nb`,
  )
  expect(moveWithin(text, block, 0, 0)).toBeNull()
  expect(moveWithin(text, block, 2, 3)).toBeNull()
})

test('a picture moves into another gallery', () => {
  const text = `${picture(1)}\n\nb\n\n${picture(2)}\n${picture(3)}`
  const [first, second] = mediaBlocks(text)
  const item = first?.items[0]
  if (!item || !second) throw new Error('there are no galleries')
  expect(applied(text, moveBetween(text, item, second, 1))).toBe(
    `\nb\n\n${picture(2)}\n${picture(1)}\n${picture(3)}`,
  )
  expect(applied(text, moveBetween(text, item, second, 2))).toBe(
    `\nb\n\n${picture(2)}\n${picture(3)}\n${picture(1)}`,
  )
})

const words = fc.constantFrom('It rose.', '', '# Loaf', '- [ ] feed', '> said', '```', '  two  ', '| a | b |')
const files = fc
  .integer({ min: 1, max: 9 })
  .chain((number) =>
    fc.constantFrom(
      picture(number),
      picture(number, 'Day 1'),
      download(number),
      `${picture(number)} ${picture(number)}`,
    ),
  )
const texts = fc.array(fc.oneof(words, files, files), { maxLength: 12 }).map((lines) => lines.join('\n'))

test('every file outside of code is in one block, and blocks are whole lines in the order of the text', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const blocks = mediaBlocks(text)
      let end = -1
      for (const { from, to, items } of blocks) {
        expect(from).toBeGreaterThan(end)
        expect(text[from - 1] ?? '\n').toBe('\n')
        expect(text[to] ?? '\n').toBe('\n')
        for (const item of items) expect(item.from >= from && item.to <= to).toBe(true)
        end = to
      }
      const all = fileReferences(text)
      const found = blocks.flatMap(({ items }) => items)
      for (const item of found)
        expect(all.filter((one) => one.id === item.id)[item.index]).toMatchObject({ from: item.from })
      expect(text.includes('```') || found.length === all.length).toBe(true)
    }),
  )
})

test('moving a picture changes only the order of the references, and moving it back restores every byte', () => {
  fc.assert(
    fc.property(texts, fc.nat(8), fc.nat(8), (text, from, to) => {
      for (const block of mediaBlocks(text)) {
        const moved = applied(text, moveWithin(text, block, from, to))
        const again = mediaBlocks(moved).find((one) => one.from === block.from)
        expect(moved).toHaveLength(text.length)
        expect(again && applied(moved, moveWithin(moved, again, to, from))).toBe(again && text)
      }
    }),
  )
})

test('a caption is written as it is typed, and only what differs changes', () => {
  fc.assert(
    fc.property(texts, fc.string({ maxLength: 20 }), (text, caption) => {
      for (const { items } of mediaBlocks(text))
        for (const item of items) {
          const change = describing(text, item, item.words, caption)
          const now = applied(text, change)
          const found = fileReferences(now).filter(({ id: of }) => of === item.id)[item.index]
          expect(found?.caption).toBe(change ? caption.replaceAll(/\s+/g, ' ').trim() : item.caption)
          expect(change === null || (change.from >= item.from && change.to <= item.to)).toBe(true)
        }
    }),
  )
})

test('a saved text has the same galleries as the editor drew', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const shape = (of: string) =>
        mediaBlocks(of).map(({ kind, items }) => [kind, items.map((one) => one.id)])
      expect(shape(separatePictures(text))).toEqual(shape(text))
    }),
  )
})
