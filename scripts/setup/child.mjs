import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import path from 'node:path'
import { Stop } from './stop.mjs'

/** The project's folder: every command works from there, wherever it was called. */
export const ROOT = path.resolve(
  import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname),
  '../..',
)

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

const windows = process.platform === 'win32'

/** The runtime that npm installed, whatever the system's own Node is. */
export const NODE = path.join(ROOT, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node')

/** Keeps compiled code between starts; saves a third of a start's work. */
const COMPILED = path.join(ROOT, 'node_modules', '.cache', 'node')

/** Runs Node 24 in our place: same terminal, signals passed on, same exit code. */
export function runNode(args, env = {}) {
  return run(NODE, args, { env: { NODE_COMPILE_CACHE: COMPILED, ...env } })
}

/** Runs a program on our terminal until it ends and answers its exit code. */
export async function run(program, args, { env = {}, shell = false } = {}) {
  const child = spawn(program, args, { cwd: ROOT, stdio: 'inherit', shell, env: { ...process.env, ...env } })
  const { code, error } = await ended(child)
  if (error) throw new Stop(`${program} could not be run (${error.message}).`)
  return code
}

/** Runs a program quietly and answers its exit code and output; code 127 where it is missing. */
export async function capture(program, args, { env = {}, shell = false } = {}) {
  const stdio = ['ignore', 'pipe', 'pipe']
  const child = spawn(program, args, { cwd: ROOT, stdio, shell, env: { ...process.env, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const { code, error } = await ended(child)
  return error ? { code: 127, output: error.message } : { code, output }
}

/** Waits for a child; until then signals to us are its business. */
async function ended(child) {
  const stopWatching = onEnd((signal) => child.kill(signal))
  try {
    return await new Promise((resolve) => {
      child.on('error', (error) => resolve({ code: 127, error }))
      child.on('close', (code, signal) => resolve({ code: code ?? 128 + constants.signals[signal] }))
    })
  } finally {
    stopWatching()
  }
}

/** Calls back with each signal that asks us to end, in place of ending us, until the function that it returns is called. */
export function onEnd(asked) {
  for (const signal of SIGNALS) process.on(signal, asked)
  const watch = watchShell(() => asked('SIGTERM'))
  return () => {
    clearInterval(watch)
    for (const signal of SIGNALS) process.off(signal, asked)
  }
}

/** npm passes a signal on to the shell that it put between us, and that shell dies of it without a word to us. */
function watchShell(died) {
  if (!process.env.npm_lifecycle_event) return undefined
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    died()
  }, 200)
  return watch
}

/** The npm that called us, else the one on the PATH: program, first arguments, whether it needs a shell. */
export function npm() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env
  if (script && node && /\.c?js$/.test(script)) return { program: node, first: [script], shell: false }
  return { program: 'npm', first: [], shell: windows }
}
