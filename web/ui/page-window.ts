const WIDTH = 5

/** The up to five page numbers that a reader may jump to, with the current one in the middle where there is room. */
export function pageWindow(page: number, pageCount: number): number[] {
  const width = Math.min(WIDTH, pageCount)
  const first = Math.max(1, Math.min(page - Math.floor(WIDTH / 2), pageCount - width + 1))
  return Array.from({ length: width }, (_, index) => first + index)
}
