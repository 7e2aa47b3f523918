import { access } from 'node:fs/promises'
import path from 'node:path'
import { capture, NODE, ROOT, withProgress } from './child.mjs'
import { CommandError } from './errors.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
/** Headless Chromium, in which a journey takes about half the CPU time. */
const SHELL = 'chromium-headless-shell'
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** Finds or installs a Chromium; returns its path. With `shell`, the headless shell is preferred. */
export async function ensureChromium({ shell = false } = {}) {
  const given = process.env.CHROMIUM_PATH
  if (given && !(await runs(given)))
    throw new CommandError(
      `CHROMIUM_PATH names ${given}, which does not run: let it name a Chromium or Chrome, or unset it.`,
    )
  if (given) return given
  const names = shell ? [SHELL, ...NAMES] : NAMES
  const found = await findChromium(names)
  if (found && !(shell && (await lacksShell(found)))) return found
  for (const [text, program, args] of found ? [byApt(SHELL)] : ways(shell)) {
    await withProgress(text, () => capture(program, args, { env: { DEBIAN_FRONTEND: 'noninteractive' } }))
    const installed = await findChromium(names)
    if (installed) return installed
  }
  throw new CommandError(
    'The browser tests need Chromium and it could not be installed: install Chromium or Chrome yourself, or let CHROMIUM_PATH name one.',
  )
}

/** Returns whether this is root on Debian, who can install packages, with Debian's Chromium but not its headless shell. */
async function lacksShell(found) {
  if (path.basename(found) === SHELL || process.platform !== 'linux' || process.getuid() !== 0) return false
  const { code } = await capture('sh', ['-c', 'dpkg --status chromium-common'])
  return code === 0
}

async function findChromium(names) {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  for (const candidate of [...candidates, MAC, await playwrightsOwn()])
    if (candidate && (await exists(candidate)) && (await runs(candidate))) return candidate
  return undefined
}

async function playwrightsOwn() {
  const ask = "import { chromium } from 'playwright-core'; console.log(chromium.executablePath())"
  const { code, output } = await capture(NODE, ['--input-type=module', '--eval', ask])
  return code === 0 ? output.trim() : undefined
}

function ways(shell) {
  const playwright = path.join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js')
  const own = [
    "Installing Playwright's Chromium (a minute or two)",
    NODE,
    [playwright, 'install', 'chromium'],
  ]
  if (process.platform !== 'linux') return [own]
  const packages = shell ? [byApt(SHELL), byApt('chromium')] : [byApt('chromium')]
  if (process.getuid() === 0) return [...packages, own]
  return [own, ...packages.map(([text, program, args]) => [text, 'sudo', ['-n', program, ...args]])]
}

function byApt(name) {
  const get = 'apt-get -q -o Acquire::Retries=1 -o Acquire::http::Timeout=20'
  const command = `${get} update && ${get} install -y --no-install-recommends ${name}`
  return [`Installing ${name} by apt-get (a minute or two)`, 'sh', ['-c', command]]
}

/** Returns whether a program runs. An existing file may lack its libraries, or be a stub that asks for a package manager. */
async function runs(program) {
  const { code, output } = await capture(program, ['--version'])
  return code === 0 && /\d\.\d/.test(output)
}

const exists = (file) =>
  access(file).then(
    () => true,
    () => false,
  )
