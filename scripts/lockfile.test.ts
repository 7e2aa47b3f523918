import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Package = {
  inBundle?: boolean
  resolved?: string
  integrity?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

type Packages = Record<string, Package>

const lockfiles = ['package-lock.json', 'verification/packages/package-lock.json'].map((file) => ({
  file,
  packages: (JSON.parse(readFileSync(file, 'utf8')) as { packages: Packages }).packages,
}))

/** Returns whether a package in `folder` resolves the other one, as Node does: beside itself, then in the directories above. */
function isFound(packages: Packages, folder: string, name: string): boolean {
  const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
  if (path in packages) return true
  if (folder === '') return false
  const end = folder.lastIndexOf('/node_modules/')
  return isFound(packages, end < 0 ? '' : folder.slice(0, end), name)
}

test.each(lockfiles)(
  'the lockfile contains every dependency of its packages, even for other platforms, as npm ci requires',
  ({ packages }) => {
    const missing = Object.entries(packages).flatMap(([folder, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !isFound(packages, folder, name))
        .map((name) => `${name}, of ${folder}`),
    )
    expect(missing).toEqual([])
  },
)

test.each(lockfiles)(
  'the lockfile has the hash of every package, and contains no registry URL',
  ({ packages }) => {
    const installed = Object.entries(packages).filter(([folder]) => folder !== '')
    const unknown = installed.filter(
      ([, { integrity, inBundle }]) => !inBundle && !integrity?.startsWith('sha512-'),
    )
    expect(unknown).toEqual([])
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  },
)
