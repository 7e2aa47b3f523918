import { expect, test } from 'vitest'
import { cleaned, filesOf } from './content-input.ts'

function transfer(data: { [type: string]: string }, ...files: { name: string; type: string }[]) {
  return { files, getData: (type: string) => data[type] ?? '' } as unknown as DataTransfer
}

const loaf = { name: 'my loaf.png', type: 'image/png' }
const plan = { name: 'plan.pdf', type: 'application/pdf' }

test.each([
  ['a screenshot', {}, [loaf]],
  ['a picture of a page', { 'text/html': '<img src="https://a.example/a.png">' }, [loaf]],
  ['a file of a Mac', { 'text/plain': 'my loaf.png' }, [loaf]],
  ['two files of Linux', { 'text/plain': '/home/ada/my loaf.png\n/home/ada/plan.pdf' }, [loaf, plan]],
  ['a file with its address', { 'text/plain': 'file:///home/ada/my%20loaf.png\r\n' }, [loaf]],
  ['a file of Windows', { 'text/plain': String.raw`C:\Users\ada\my loaf.png` }, [loaf]],
  ['a picture of a note', { 'text/plain': '\uFFFC\n' }, [loaf]],
  [
    'a picture that is dragged from another page',
    { 'text/plain': 'https://a.example/a.png', 'text/html': '<img src="https://a.example/a.png">' },
    [loaf],
  ],
])('%s is its files', (_name, data, files) => {
  expect(filesOf(transfer(data, ...files))).toEqual(files)
})

test.each([
  ['cells of a table with their picture', { 'text/plain': 'a\tb', 'text/html': '<table></table>' }, [loaf]],
  ['words with their picture', { 'text/plain': 'my loaf.png rose' }, [loaf]],
  ['a link with a picture of it', { 'text/plain': 'https://a.example', 'text/html': '<a>A</a>' }, [loaf]],
  ['an address that is no text', { 'text/plain': 'file:///a/%E0%A4%A' }, [loaf]],
])('%s are their text', (_name, data, files) => {
  expect(filesOf(transfer(data, ...files))).toEqual([])
})

test('without a transfer there are no files', () => {
  expect(filesOf(null)).toEqual([])
})

test.each([
  ['a\0b', 'ab'],
  ['a\uD83Db 😄', 'ab 😄'],
  ['a\vb\fc\u2028d\u2029e\u0085f', 'a\nb\nc\nd\ne\nf'],
  ['a\r\nb\rc\n', 'a\nb\nc\n'],
])('%j is pasted as %j, which can be saved', (pasted, clean) => {
  expect(cleaned(pasted)).toBe(clean)
})
