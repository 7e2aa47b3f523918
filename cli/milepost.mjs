#!/usr/bin/env node
import { existsSync } from 'node:fs'
import path from 'node:path'
import { NODE, ROOT, run } from '#scripts/setup/child.mjs'
import { runCommand } from '#scripts/setup/errors.mjs'
import { ensureInstalled } from '#scripts/setup/install.mjs'

/** Runs the command line with the project's own Node, in the current directory of the caller. */
await runCommand(async () => {
  if (!existsSync(NODE)) await ensureInstalled()
  const env = { NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules', '.cache', 'node') }
  return run(NODE, [path.join(ROOT, 'cli', 'main.ts'), ...process.argv.slice(2)], { env, cwd: process.cwd() })
})
