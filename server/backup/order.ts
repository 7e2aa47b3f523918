type Reference = { from: string; to: string }

/** Puts each table behind those that it refers to, and keeps their order otherwise. */
export function inOrderOfReference<T extends { name: string }>(tables: T[], references: Reference[]): T[] {
  const ordered: T[] = []
  const waiting = new Set(tables)
  while (waiting.size > 0) {
    const isFree = ({ name }: T) =>
      references.every(({ from, to }) => from !== name || [...waiting].every((other) => other.name !== to))
    const next = [...waiting].find(isFree)
    if (!next) throw new Error('the tables refer to each other in a circle')
    waiting.delete(next)
    ordered.push(next)
  }
  return ordered
}
