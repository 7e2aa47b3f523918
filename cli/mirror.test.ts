import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { zipOf } from '#server/import/testing.ts'
import { mirrorArchive } from './mirror.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'milepost-mirror-test-'))
  const config = path.join(folder, 'gitconfig')
  await writeFile(config, '[user]\nname = Grace\nemail = grace@example.test\n')
  vi.stubEnv('GIT_CONFIG_GLOBAL', config)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

const git = (...args: string[]) =>
  execFileSync('git', ['-C', path.join(folder, 'mirror'), ...args], { encoding: 'utf8' }).trim()

const text = (title: string, author: string) => `---\ntitle: "${title}"\nauthor: "${author}"\n---\n\nText\n`

async function mirror(files: { [path: string]: string }) {
  const archive = path.join(folder, 'archive.zip')
  await writeFile(archive, await zipOf(files))
  return mirrorArchive(archive, path.join(folder, 'mirror'))
}

const FILES = {
  'projects/radio/01-a/2026-01-01-one.md': text('One “quoted”', 'Ada'),
  'projects/radio/01-a/2026-01-02-two.md': text('Two', 'Ada'),
  'projects/radio/files/board (1).png': 'picture',
}

it('a mirror has a commit for each change, by its author and at its time, and none if nothing has changed', async () => {
  expect(await mirror(FILES)).toBe(3)
  expect(git('log', '--format=%an %aI %s', '--', 'projects/radio/01-a')).toContain(
    'Ada 2026-02-03T04:05:06+00:00 Add “Two”',
  )
  expect(git('status', '--porcelain')).toBe('')
  expect(await mirror(FILES)).toBe(0)
  const changed = { ...FILES, 'projects/radio/01-a/2026-01-02-two.md': text('Two again', 'Ada') }
  expect(await mirror(changed)).toBe(1)
  expect(git('log', '-1', '--format=%s')).toBe('Change “Two again”')
  const { 'projects/radio/files/board (1).png': _gone, ...rest } = changed
  expect(await mirror(rest)).toBe(1)
  expect(git('ls-files')).not.toContain('board')
  expect(await mirror(rest)).toBe(0)
})

it('a mirror whose git takes line ends for equal follows a text that only changed these', async () => {
  const attributes = path.join(folder, 'attributes')
  await writeFile(attributes, '* text=auto\n')
  await appendFile(path.join(folder, 'gitconfig'), `[core]\nattributesFile = ${attributes}\n`)
  const file = 'projects/radio/01-a/2026-01-01-one.md'
  await mirror({ [file]: `${text('One', 'Ada')}1\r\n2\r\n` })
  expect(await mirror({ [file]: `${text('One', 'Ada')}1\n2\n` })).toBe(1)
  expect(await mirror({ [file]: `${text('One', 'Ada')}1\n2\n` })).toBe(0)
})

it('a mirror leaves other files alone, and refuses to overwrite what is not committed', {
  tags: ['long'],
}, async () => {
  await mirror(FILES)
  const own = path.join(folder, 'mirror', 'README.md')
  await writeFile(own, 'Mine')
  expect(await mirror(FILES)).toBe(0)
  expect(await readFile(own, 'utf8')).toBe('Mine')
  await writeFile(path.join(folder, 'mirror', 'projects/radio/01-a/2026-01-02-two.md'), 'Edited')
  await expect(mirror(FILES)).rejects.toThrow('not committed')
})

it('a mirror has files that are ignored elsewhere, and follows texts that are renamed, equal and gone', async () => {
  const ignored = path.join(folder, 'ignored')
  await writeFile(ignored, '*.png\n')
  await writeFile(
    path.join(folder, 'gitconfig'),
    `[user]\nname = Grace\nemail = grace@example.test\n[core]\nexcludesFile = ${ignored}\n`,
  )
  const files = { ...FILES, 'projects/radio/files/board [1].png': 'another' }
  expect(await mirror(files)).toBe(3)
  expect(git('ls-files')).toContain('board [1].png')
  expect(await mirror(files)).toBe(0)
  const renamed = {
    'projects/radio/01-a/2026-01-01-two.md': text('Two', 'Ada'),
    'projects/radio/01-a/2026-01-01-two-2.md': text('Two', 'Ada'),
  }
  expect(await mirror(renamed)).toBe(3)
  expect(git('ls-files').split('\n')).toEqual(Object.keys(renamed).toSorted())
  expect(git('status', '--porcelain')).toBe('')
  expect(await mirror(renamed)).toBe(0)
})

it('a mirror follows a picture whose name changed in its case alone', async () => {
  const [one, other] = ['projects/radio/files/Board.png', 'projects/radio/files/board.PNG']
  await mirror({ [one]: 'picture' })
  expect(await mirror({ [other]: 'picture' })).toBe(1)
  expect(git('ls-files')).toBe(other)
  expect(git('status', '--porcelain')).toBe('')
  expect(await mirror({ [other]: 'picture' })).toBe(0)
})

it('a first mirror that was stopped goes on, whatever its files and authors are called', async () => {
  const file = 'projects/radio/a\tb "c"\n[d].md'
  await mkdir(path.join(folder, 'mirror', 'projects'), { recursive: true })
  await writeFile(path.join(folder, 'mirror', 'projects', 'one.md'), 'begun')
  git('init', '--quiet')
  git('add', 'projects')
  expect(
    await mirror({ 'projects/one.md': text('One', 'Ada'), [file]: text('Two', String.raw`A\u0000da`) }),
  ).toBe(2)
  expect(git('log', '--format=%an %s', '--', `:(literal)${file}`)).toBe('A da Add “Two”')
  expect(git('status', '--porcelain')).toBe('')
})

it('a mirror runs no hooks of the person, and signs nothing, also to remove files', async () => {
  const hooks = path.join(folder, 'hooks')
  await mkdir(hooks)
  for (const hook of ['pre-commit', 'commit-msg', 'reference-transaction'])
    await writeFile(path.join(hooks, hook), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  const settings = `[core]\nhooksPath = ${hooks}\n[commit]\ngpgSign = true\n[gpg]\nprogram = /bin/false\n`
  await appendFile(path.join(folder, 'gitconfig'), settings)
  expect(await mirror(FILES)).toBe(3)
  const { 'projects/radio/files/board (1).png': _gone, ...rest } = FILES
  expect(await mirror(rest)).toBe(1)
  expect(git('status', '--porcelain')).toBe('')
})

it('a mirror leaves what is staged alone', { tags: ['long'] }, async () => {
  await mirror(FILES)
  await writeFile(path.join(folder, 'mirror', 'own.txt'), 'Mine')
  git('add', 'own.txt')
  await expect(mirror(FILES)).rejects.toThrow('not committed')
})

it('a mirror needs a name for its commits before it writes anything', async () => {
  vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null')
  vi.stubEnv('EMAIL', undefined)
  await mkdir(path.join(folder, 'mirror'))
  git('init', '--quiet')
  git('config', 'user.useConfigOnly', 'true')
  await expect(mirror(FILES)).rejects.toThrow('git var failed')
  expect(git('status', '--porcelain')).toBe('')
})

it('a mirror writes nothing outside of its folders', async () => {
  for (const git of ['.git', '.g\u200Cit', '.git ', 'GIT~1'])
    await expect(mirror({ [`projects/${git}/config`]: 'x' })).rejects.toThrow('not of a mirror')
  await expect(mirror({ 'elsewhere/a.md': 'x' })).rejects.toThrow('not of a mirror')
})
