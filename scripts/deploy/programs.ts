import { spawnSync } from 'node:child_process'
import type { TestContext } from 'vitest'

/** Debian installs server programs in /usr/sbin, which is not in every PATH. */
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`

/** Skips the test, with a reason in the summary, if a program is not installed. */
export function requireProgram(program: string, debianPackage: string, context: TestContext): void {
  const { error } = spawnSync(program, ['--version'], { env: { ...process.env, PATH }, stdio: 'ignore' })
  if (error) context.skip(`${program} is not installed: apt-get install ${debianPackage}`)
}

/** Runs a program; returns its exit code and output. */
export function run(program: string, args: string[], cwd: string, variables: Record<string, string> = {}) {
  const env = { ...process.env, ...variables, PATH }
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  return { code: status, output: `${stdout}${stderr}`.trim() }
}
