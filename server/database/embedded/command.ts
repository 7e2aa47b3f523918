import { spawn } from 'node:child_process'
import type { Owner } from '#server/private-file.ts'

/** The account that PostgreSQL runs under where Milepost itself is root. */
export type ServerUser = Owner

type Options = { as?: ServerUser; cwd: string; input?: string }

/**
 * Runs a program to its end, its two outputs joined. It gets a small environment of its own: PG* variables
 * would mislead PostgreSQL's programs, and a server that outlives us should not carry our secrets along.
 * It leads a session of its own, so that Ctrl-C in a terminal reaches Milepost alone.
 */
export function run(program: string, args: string[], { as, cwd, input }: Options) {
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const child = spawn(program, args, { ...as, cwd, env: environment(), detached: true, windowsHide: true })
    let output = ''
    const collect = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
    child.stdin.on('error', () => child.stdin.destroy())
    child.stdin.end(input)
  })
}

function environment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'SystemRoot', 'SystemDrive', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA']
  const inherited = kept.filter((name) => process.env[name] !== undefined)
  return { ...Object.fromEntries(inherited.map((name) => [name, process.env[name]])), LC_ALL: 'C', TZ: 'UTC' }
}
