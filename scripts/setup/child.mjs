import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import path from 'node:path'
import { CommandError } from './errors.mjs'

/** The project's directory. Every command runs there, wherever it was called. */
export const ROOT = path.resolve(
  import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname),
  '../..',
)

const PROGRESS_INTERVAL_MS = 15_000

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

const windows = process.platform === 'win32'

/** The Node that npm installed, regardless of the system's own version. */
export const NODE = path.join(ROOT, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node')

/** The cache of compiled code, which saves a third of the start-up time. */
const COMPILED = path.join(ROOT, 'node_modules', '.cache', 'node')

/** Runs Node 24 in this terminal, forwards signals and returns its exit code. */
export function runNode(args, env = {}) {
  return run(NODE, args, { env: { NODE_COMPILE_CACHE: COMPILED, ...env } })
}

/** Runs a program in this terminal and returns its exit code. */
export async function run(program, args, { env = {}, shell = false, cwd = ROOT } = {}) {
  const child = spawn(program, args, { cwd, stdio: 'inherit', shell, env: { ...process.env, ...env } })
  const { code, error } = await ended(child)
  if (error) throw new CommandError(`${program} could not be run (${error.message}).`)
  return code
}

/** Runs a program without printing its output, and returns its exit code and output; the code is 127 if the program is missing. */
export async function capture(program, args, { env = {}, shell = false, cwd = ROOT } = {}) {
  const stdio = ['ignore', 'pipe', 'pipe']
  const child = spawn(program, args, { cwd, stdio, shell, env: { ...process.env, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const { code, error } = await ended(child)
  return error ? { code: 127, output: error.message } : { code, output }
}

/** Waits for a child process to exit, and forwards signals to it until then. */
async function ended(child) {
  const stopListening = onTerminate((signal) => child.kill(signal))
  try {
    return await new Promise((resolve) => {
      child.on('error', (error) => resolve({ code: 127, error }))
      child.on('close', (code, signal) => resolve({ code: code ?? 128 + constants.signals[signal] }))
    })
  } finally {
    stopListening()
  }
}

/** Calls back on each termination signal instead of exiting, until the returned function is called. */
export function onTerminate(callback) {
  for (const signal of SIGNALS) process.on(signal, callback)
  const watch = watchParentShell(() => callback('SIGTERM'))
  return () => {
    clearInterval(watch)
    for (const signal of SIGNALS) process.off(signal, callback)
  }
}

/** npm starts a shell between itself and this process, and sends signals only to that shell. Detects that the shell has exited. */
function watchParentShell(exited) {
  if (!process.env.npm_lifecycle_event) return undefined
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    exited()
  }, 200)
  return watch
}

/** Returns how to run npm (the one that runs this script, otherwise the one on the PATH): program, first arguments, and whether it needs a shell. */
export function npm() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env
  // With node_modules/.bin on the PATH, npm runs in the Node that an installation removes.
  const isOwn = node?.startsWith(path.dirname(path.dirname(NODE)))
  if (script && node && !isOwn && /\.c?js$/.test(script))
    return { program: node, first: [script], shell: false }
  return { program: 'npm', first: [], shell: windows }
}

/** Prints a description of the work, the elapsed time every fifteen seconds, and the total time. */
export async function withProgress(text, work) {
  const start = Date.now()
  const seconds = () => `${Math.round((Date.now() - start) / 1000)} s`
  console.log(`${text} …`)
  const timer = setInterval(() => console.log(`  … ${seconds()}`), PROGRESS_INTERVAL_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    console.log(`  took ${seconds()}`)
  }
}
