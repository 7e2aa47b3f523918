import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
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

const roomsOf = (side: 'server' | 'web') => globSync(`${side}/*/`).map((path) => basename(path))

test('every room of the web stands on a floor of the lint', () => {
  const [, floors = ''] = /webFloors = \[\n([^]*?)\n\]/.exec(readFileSync('oxlint.config.ts', 'utf8')) ?? []
  const rooms = Array.from(floors.matchAll(/'([\w-]+)'/g), ([, room = '']) => room)
  expect(rooms.toSorted()).toEqual(roomsOf('web').toSorted())
})

test('every room is in the plan of the house', () => {
  const plan = readFileSync('docs/architecture.md', 'utf8').split('```')[1] ?? ''
  const [, server = '', web = ''] = /^server\/$([^]*)^web\/$([^]*)^e2e\//m.exec(plan) ?? []
  const missing = (side: 'server' | 'web', text: string) =>
    roomsOf(side).filter((room) => !new RegExp(`\\b${room}/`).test(text))
  expect([missing('server', server), missing('web', web)]).toEqual([[], []])
})
