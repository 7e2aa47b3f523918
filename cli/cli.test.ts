import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picture } from '#server/files/testing.ts'
import { importer, zipOf } from '#server/import/testing.ts'
import { fillIndex } from '#server/search/upkeep.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { helpOf } from './help.ts'

let t: TestApp
let origin: string
let folder: string
beforeAll(async () => {
  t = await testApp()
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`
  folder = await mkdtemp(path.join(tmpdir(), 'milepost-cli-'))
})
afterAll(async () => {
  await t.close()
  await rm(folder, { recursive: true })
})

const MAIN = path.resolve('cli/main.ts')

/** Runs the program as a separate process, with its settings in the test's directory. */
async function milepost(
  args: string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string | Buffer } = {},
) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      // Two dozen processes load the same modules.
      NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
      XDG_CONFIG_HOME: path.join(folder, 'config'),
      ...env,
    },
  })
  child.stdin.end(input)
  const [out, problem, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ])
  return { out, problem, code }
}

const tokenOf = async (
  person: Person,
  scopes: ('read' | 'write' | 'publish' | 'manage')[] = ['read', 'write', 'publish'],
) => (await t.program(person, { scopes })).headers.authorization?.replace('Bearer ', '') ?? ''

/** A user with a project and a milestone, and the environment of their programs. */
async function writer() {
  const ada = await t.person({ name: 'Ada' })
  const project = await t.project(ada, { title: 'A radio' })
  const milestone = await t.milestone(ada, project._id, { title: 'Receiver' })
  const env = { MILEPOST_URL: origin, MILEPOST_TOKEN: await tokenOf(ada) }
  const entries = async () =>
    (await t.call('listProjectEntries', { params: { projectId: project._id } }, { as: ada })).entries
  return { ada, project, milestone, env, entries }
}

describe('the command line', () => {
  it('saves a token from stdin in a file that only its owner can read, and deletes it on logout', async () => {
    const { ada } = await writer()
    const login = await milepost(['login', origin], { input: `${await tokenOf(ada)}\n` })
    expect(login).toMatchObject({ code: 0, problem: '' })
    expect(login.out).toContain('shows 1 of your projects')
    expect(login.out).not.toContain('mp_')
    const file = path.join(folder, 'config/milepost/credentials.json')
    const mode = (await stat(file)).mode & 0o777
    expect(mode).toBe(process.platform === 'win32' ? mode : 0o600)
    expect((await milepost(['list'])).out).toMatch(/^owner {2}A radio {2}/)
    const elsewhere = await milepost(['list'], { env: { MILEPOST_URL: 'https://example.test' } })
    expect(elsewhere).toMatchObject({ code: 1, out: '' })
    expect((await milepost(['logout'])).code).toBe(0)
    expect(await readdir(path.dirname(file))).toEqual([])
    expect(await milepost(['list'])).toMatchObject({
      code: 1,
      problem: 'milepost: You are not signed in. Run: milepost login https://your-server\n',
    })
  })

  it('adds an entry with its pictures to the milestone that is not completed', async () => {
    const { env, project, milestone, entries } = await writer()
    await writeFile(path.join(folder, 'a photo.jpg'), await picture(40, 30).jpeg().toBuffer())
    const args = [
      'add',
      'Soldered the board\n\nIt *works*.',
      '-p',
      'radio',
      '-i',
      'a photo.jpg',
      '--tag',
      'solder',
      '--json',
    ]
    const { out, code } = await milepost(args, { env })
    expect(code).toBe(0)
    const [entry] = await entries()
    expect(JSON.parse(out)).toMatchObject({
      _id: entry?._id,
      url: `${origin}/projects/${project._id}/milestones/${milestone._id}/entries/${entry?._id}`,
    })
    expect(entry).toMatchObject({ title: 'Soldered the board', tags: ['solder'], state: 'published' })
    expect(entry?.imageURL).toBeDefined()
    expect(entry?.content).toMatch(/^It \*works\*\.\n\n!\[\]\(\/files\/[\w-]+\)$/)
  })

  it('adds an entry of a day, and refuses to take it from pictures without a date', {
    tags: ['long'],
  }, async () => {
    const { env, entries } = await writer()
    await writeFile(path.join(folder, 'undated.jpg'), await picture(40, 30).jpeg().toBuffer())
    const add = (...args: string[]) => milepost(['add', 'Soldered', ...args], { env })
    expect(await add('--date', '2026-03-04')).toMatchObject({ code: 0 })
    expect(await entries()).toMatchObject([{ happenedOn: '2026-03-04' }])
    expect((await add('--date', 'yesterday')).problem).toContain('--date 2026-03-04')
    expect((await add('--date', 'picture')).problem).toContain('-i photo.jpg')
    expect((await add('--date', 'picture', '-i', 'undated.jpg')).problem).toContain('None of the pictures')
    expect(await entries()).toHaveLength(1)
  })

  it('adds a draft from stdin, and a single line as title and text', async () => {
    const { env, entries } = await writer()
    expect(await milepost(['add', '-', '--draft'], { env, input: 'Found a resistor' })).toMatchObject({
      code: 0,
    })
    expect(await entries()).toMatchObject([
      { title: 'Found a resistor', content: 'Found a resistor', state: 'draft' },
    ])
  })

  it('reads a text in the encodings of Windows, and refuses one that would lose letters', {
    tags: ['long'],
  }, async () => {
    const { env, entries } = await writer()
    const token = `"Bearer ${env.MILEPOST_TOKEN}"\r\n`
    const add = (input: Buffer) => milepost(['add', '-'], { env: { ...env, MILEPOST_TOKEN: token }, input })
    expect(await add(Buffer.from('\uFEFFSchwarzwälder\r\n', 'utf16le'))).toMatchObject({ code: 0 })
    expect(await add(Buffer.from('Kirsch\xe4', 'latin1'))).toMatchObject({
      code: 1,
      problem: expect.stringContaining('not in UTF-8'),
    })
    expect(await entries()).toMatchObject([{ title: 'Schwarzwälder', content: 'Schwarzwälder' }])
  })

  it('lists resources, and makes every call that the contract marks as a command, by title and with typed options', {
    tags: ['long'],
  }, async () => {
    const { env, ada, milestone } = await writer()
    await t.entry(ada, milestone._id, { title: 'A\u001b[31mred\u202ename' })
    const list = await milepost(['list', '-p', 'A radio'], { env })
    expect(list.out).toMatch(/^\d{4}-\d\d-\d\d {2}A \[31mred name {2}[\w-]+\n$/)
    const args = [
      'create-milestone',
      '-p',
      'radio',
      '--title',
      'Antenna',
      '--description',
      'Copper',
      '--json',
    ]
    const created = await milepost(args, { env })
    expect(JSON.parse(created.out)).toMatchObject({ title: 'Antenna', completed: false })
    const update = ['update-milestone', '-p', 'radio', '-m', 'antenna', '--completed', '--json']
    expect(JSON.parse((await milepost(update, { env })).out)).toMatchObject({
      title: 'Antenna',
      completed: true,
    })
  })

  it('searches by words in any number of arguments, and says where each result is', {
    tags: ['long'],
  }, async () => {
    const { env, ada, project, milestone } = await writer()
    const entry = await t.entry(ada, milestone._id, {
      title: 'Steamed\u009b ribs',
      content: 'Over the étagère.',
    })
    await fillIndex(t.deps.db)
    const found = await milepost(['search', 'over', 'etagere'], { env })
    const url = `${origin}/projects/${project._id}/milestones/${milestone._id}/entries/${entry._id}`
    expect(found).toMatchObject({ code: 0, problem: '' })
    expect(found.out).toContain(`Steamed  ribs  (A radio › Receiver)  ${url}\n`)
    const filtered = await milepost(['search', 'etagere', 'in:nowhere', '--kind', 'entry'], { env })
    expect([filtered.out, filtered.problem]).toEqual([
      expect.any(String),
      'in:nowhere names nothing that you may see.\n',
    ])
    expect((await milepost(['search', 'help'], { env })).out).toBe('Nothing was found.\n')
    expect(JSON.parse((await milepost(['search', 'etagere', '--json'], { env })).out).hits).toHaveLength(1)
  })

  it('says its version, and of a command only how that is used', { tags: ['long'] }, async () => {
    expect((await milepost(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
    for (const args of [
      ['help', 'search'],
      ['search', '--help'],
      ['search', '-h'],
    ]) {
      const { code, out } = await milepost(args)
      expect([code, out.split('\n').length]).toEqual([0, 2])
      expect(out).toContain('milepost search WORDS…')
    }
    expect((await milepost(['help', 'fly'])).out).toContain('milepost login')
  })

  it('prints what others wrote without characters that control a terminal, whatever it prints', async () => {
    const { env, ada } = await writer()
    const nasty = 'x\u001b]0;y\u0007\u009b31m\u202ez\u2066\r`id`$(touch hit)"; touch hit #'
    await t.project(ada, { title: nasty })
    const outputs = [
      await milepost(['list'], { env }),
      await milepost(['list', '--json'], { env }),
      await milepost(['list-milestones', '-p', 'touch', '--json'], { env }),
      await milepost(['add', 'y', '-p', 'touch'], { env }),
      await milepost(['add', 'y', '-p', 'boat\u009b31m'], { env }),
    ]
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the subject
    for (const { out, problem } of outputs) expect(out + problem).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
    expect(JSON.parse(outputs[1]?.out ?? '')).toContainEqual(
      expect.objectContaining({ title: nasty.replace('\r', ' ') }),
    )
    const proposed = /Run: (.+)\n$/.exec(outputs[3]?.problem ?? '')?.[1]
    expect(proposed).toMatch(
      /^milepost create-milestone -p [\w-]{36} --title "The first one" --description "[\w ]+"$/,
    )
  })

  it('exports everything to a new file, and never overwrites an existing one', {
    tags: ['long'],
  }, async () => {
    const { env } = await writer()
    expect(await milepost(['export', 'mine.zip'], { env })).toMatchObject({ code: 0, out: 'mine.zip\n' })
    expect((await readFile(path.join(folder, 'mine.zip'))).subarray(0, 2).toString()).toBe('PK')
    expect(await milepost(['export', 'mine.zip'], { env })).toMatchObject({
      code: 1,
      problem: 'milepost: mine.zip is there already: name another file.\n',
    })
  })

  it('plans an archive, imports it with --yes, copies pictures with --pictures, and undoes it', {
    tags: ['long'],
  }, async () => {
    const ada = await t.person()
    const env = {
      MILEPOST_URL: origin,
      MILEPOST_TOKEN: await tokenOf(ada, ['read', 'write', 'publish', 'manage']),
    }
    const inside = 'http://127.0.0.1:1/keel.png'
    const notes = { 'Boat/keel.md': `# Keel\n\n![](${inside})`, 'Boat/empty.md': '' }
    await writeFile(path.join(folder, 'boat.zip'), await zipOf(notes))
    const { work } = importer(t)
    const timer = setInterval(() => void work(), 200)
    try {
      const planned = await milepost(['import', 'boat.zip'], { env })
      expect(planned).toMatchObject({ code: 0, problem: '100 % sent\n' })
      expect(planned.out).toContain('Found: 1 project, 1 milestone, 1 entry, 0 files')
      expect(planned.out).toContain('On other websites: 1 picture, which --pictures copies')
      expect(planned.out).toContain('1 × it has no text:\n  Boat/empty.md')
      const lone = await milepost(['import', 'boat.zip', '--pictures'], { env })
      expect(lone).toMatchObject({ code: 2, problem: expect.stringContaining('add --yes') })
      const { out } = await milepost(['import', 'boat.zip', '--yes', '--pictures'], { env })
      expect(out).toContain('Imported: 1 project, 1 milestone, 1 entry, 0 files')
      expect(out).toContain(
        `its website is not on the Internet, and the text still links to it:\n  Boat/keel.md: ${inside}`,
      )
      const id = /\/import\/(\S+)/.exec(out)?.[1] ?? ''
      expect(await milepost(['import', '--undo', id], { env })).toMatchObject({ code: 0 })
      expect(await t.call('listProjects', {}, { as: ada })).toEqual([])
    } finally {
      clearInterval(timer)
      await work()
    }
  })

  it('removes an archive that did not arrive whole', { tags: ['long'] }, async () => {
    const { env } = await writer()
    const cut = createServer((request, response) => {
      if (request.method === 'POST') response.end(JSON.stringify({ url: '/api/exports/x' }))
      else {
        response.writeHead(200, { 'content-length': 1000 }).write('PK')
        setImmediate(() => response.destroy())
      }
    })
    await once(cut.listen(0, '127.0.0.1'), 'listening')
    const { port } = cut.address() as AddressInfo
    const result = await milepost(['export', 'cut.zip'], {
      env: { ...env, MILEPOST_URL: `http://127.0.0.1:${port}` },
    })
    cut.close()
    expect(result).toMatchObject({ code: 1, out: '' })
    expect(result.problem).toMatch(/^milepost: cut\.zip could not be written whole: [^\n]+\n$/)
    expect(await readdir(folder)).not.toContain('cut.zip')
  })

  it('ends quietly when its reader has left', { tags: ['long'] }, async () => {
    const { env } = await writer()
    const child = spawn(process.execPath, [MAIN, 'list'], {
      cwd: folder,
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: path.join(folder, 'compiled'), ...env },
    })
    child.stdout.destroy()
    const [problem, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    expect([problem, code]).toEqual(['', 141])
  })

  it('keeps no token in the folder where it runs', { tags: ['long'] }, async () => {
    const { ada } = await writer()
    const home = path.join(folder, 'home')
    const login = await milepost(['login', origin], {
      input: await tokenOf(ada),
      env: { XDG_CONFIG_HOME: '', APPDATA: '', HOME: home, USERPROFILE: home },
    })
    expect(login).toMatchObject({ code: 0, problem: '' })
    expect(await readdir(path.join(home, '.config/milepost'))).toEqual(['credentials.json'])
    expect(await readdir(folder)).not.toContain('milepost')
    const elsewhere = await milepost(['login', origin], {
      input: await tokenOf(ada),
      env: { XDG_CONFIG_HOME: path.join(home, '.config/milepost/credentials.json') },
    })
    expect(elsewhere.problem).toMatch(/^milepost: The token cannot be kept in [^\n]+\n$/)
  })

  it('helps with every command of its own', async () => {
    const own = Array.from(
      (await readFile(MAIN, 'utf8')).matchAll(/^ {2}(\w+): async \(/gm),
      ([, name = '']) => name,
    )
    expect(own).toContain('mirror')
    expect(own.filter((name) => helpOf(name) === helpOf(undefined))).toEqual([])
  })

  it('prints one sentence for an error, with its own exit code', { tags: ['long'] }, async () => {
    const { env, ada, milestone, project } = await writer()
    const { _id: other } = await t.milestone(ada, project._id, { title: milestone.title })
    const listener = createServer().listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const closed = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
    listener.close()
    const cases: [string[], Record<string, string>, number, string][] = [
      [['fly'], env, 2, 'There is no command “fly”. Run: milepost help'],
      [['add', 'x', '-p', 'boat'], env, 1, 'There is no project “boat”.'],
      [['add', 'x', '-p', ''], env, 2, 'The name of the project is empty.'],
      [
        ['add', 'x', '-m', 'receiver'],
        env,
        2,
        `“receiver”. Use an id: ${milestone._id} (“Receiver”), ${other} (`,
      ],
      [['list'], { ...env, MILEPOST_TOKEN: 'eyJh.x.y' }, 1, 'This is no access token of Milepost'],
      [['add', 'x', '-i', 'missing.jpg'], env, 1, '“missing.jpg” cannot be read.'],
      [['add', 'x', '-i', '.'], env, 1, '“.” is a folder.'],
      [['add'], env, 2, 'Say what happened: milepost add "soldered the board" -p radio'],
      [['list'], { ...env, MILEPOST_URL: closed }, 3, `${closed} cannot be reached: nothing listens there.`],
      [
        ['list'],
        { ...env, MILEPOST_URL: origin.replace('http:', 'https:') },
        3,
        'there is no TLS at this port. Use http://',
      ],
      [
        ['add', 'x'],
        { ...env, MILEPOST_TOKEN: await tokenOf(ada, ['read']) },
        1,
        'This access token lacks the scope “write”',
      ],
      [['search'], env, 2, 'Say what to find: milepost search canoe'],
      [['list', '--nonsense'], env, 2, "Unknown option '--nonsense'"],
    ]
    for (const [args, given, code, sentence] of cases) {
      const result = await milepost(args, { env: given })
      expect(result).toMatchObject({ code, out: '' })
      expect(result.problem).toMatch(/^milepost: [^\n]+\n$/)
      expect(result.problem).toContain(sentence)
    }
  })
})

it('runs through npx in the directory in which it was called', { tags: ['long'] }, async () => {
  const { stdout } = await new Promise<{ stdout: string }>((resolve, reject) =>
    execFile(
      process.execPath,
      [path.resolve('cli/milepost.mjs'), 'help'],
      { cwd: folder },
      (error, stdout) => (error ? reject(error) : resolve({ stdout })),
    ),
  )
  expect(stdout).toContain('milepost add "soldered the board"')
})
