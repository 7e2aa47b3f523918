import { expect, test } from 'vitest'
import { pageWindow } from './pagination.tsx'

test.each([
  [1, 1, [1]],
  [2, 3, [1, 2, 3]],
  [1, 9, [1, 2, 3, 4, 5]],
  [3, 9, [1, 2, 3, 4, 5]],
  [4, 9, [2, 3, 4, 5, 6]],
  [8, 9, [5, 6, 7, 8, 9]],
  [9, 9, [5, 6, 7, 8, 9]],
  [4, 5, [1, 2, 3, 4, 5]],
])('page %i of %i offers %j', (page, pageCount, offered) => {
  expect(pageWindow(page, pageCount)).toEqual(offered)
})
