import { access } from 'node:fs/promises'
import path from 'node:path'
import { capture, NODE, ROOT, withProgress } from './child.mjs'
import { CommandError } from './errors.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** Finds a Chromium for the browser tests, or installs one; returns its path. */
export async function ensureChromium() {
  const given = process.env.CHROMIUM_PATH
  if (given && !(await runs(given)))
    throw new CommandError(
      `CHROMIUM_PATH names ${given}, which does not run: let it name a Chromium or Chrome, or unset it.`,
    )
  const found = given || (await findChromium())
  if (found) return found
  for (const [text, program, args] of ways()) {
    await withProgress(text, () => capture(program, args, { env: { DEBIAN_FRONTEND: 'noninteractive' } }))
    const installed = await findChromium()
    if (installed) return installed
  }
  throw new CommandError(
    'The browser tests need Chromium and it could not be installed: install Chromium or Chrome yourself, or let CHROMIUM_PATH name one.',
  )
}

async function findChromium() {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const candidates = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  for (const candidate of [...candidates, MAC, await playwrightsOwn()])
    if (candidate && (await exists(candidate)) && (await runs(candidate))) return candidate
  return undefined
}

async function playwrightsOwn() {
  const ask = "import { chromium } from 'playwright-core'; console.log(chromium.executablePath())"
  const { code, output } = await capture(NODE, ['--input-type=module', '--eval', ask])
  return code === 0 ? output.trim() : undefined
}

function ways() {
  const playwright = path.join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js')
  const own = [
    "Installing Playwright's Chromium (a minute or two)",
    NODE,
    [playwright, 'install', 'chromium'],
  ]
  const debian = 'apt-get update -q && apt-get install -y -q --no-install-recommends chromium'
  const text = 'Installing Chromium by apt-get (a minute or two)'
  if (process.platform !== 'linux') return [own]
  if (process.getuid() === 0) return [[text, 'sh', ['-c', debian]], own]
  return [own, [text, 'sudo', ['-n', 'sh', '-c', debian]]]
}

/** A file that exists may still lack its libraries, or be a stub that asks for a package manager. */
async function runs(program) {
  const { code, output } = await capture(program, ['--version'])
  return code === 0 && /\d\.\d/.test(output)
}

const exists = (file) =>
  access(file).then(
    () => true,
    () => false,
  )
