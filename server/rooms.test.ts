import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const imports = /from '#server\/([^/']+)\//g

/** The rooms that the files of each room import, types included. */
const importedBy = new Map<string, Set<string>>()
for (const path of globSync('server/*/**/*.ts')) {
  if (/testing|\.test\.ts$/.test(path)) continue
  const room = path.split('/')[1] ?? ''
  const imported = importedBy.get(room) ?? new Set()
  for (const [, other = ''] of readFileSync(path, 'utf8').matchAll(imports))
    if (other !== room) imported.add(other)
  importedBy.set(room, imported)
}

/** Returns the rooms on a way from one back to itself, or null. */
const seen = new Set<string>()
function circleFrom(room: string, way: string[] = []): string[] | null {
  if (way.includes(room)) return [...way.slice(way.indexOf(room)), room]
  if (seen.has(room)) return null
  seen.add(room)
  for (const next of importedBy.get(room) ?? []) {
    const circle = circleFrom(next, [...way, room])
    if (circle) return circle
  }
  return null
}

test('no room of the server imports another that imports it, even through others', () => {
  expect(importedBy.get('entries')).toContain('permissions')
  const circles = [...importedBy.keys()].flatMap((room) => circleFrom(room)?.join(' → ') ?? [])
  expect(circles).toEqual([])
})
