import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readDeployFile, templateCommand } from '#testing/deploy.ts'
import { requireProgram, run } from './programs.ts'

const FOLDER = 'deploy'

const texts = z.record(z.string(), z.union([z.string(), z.number()]))
const duration = z.string().regex(/^\d+(?:ms|s|m|h)$/)
const condition = z.enum(['service_started', 'service_healthy', 'service_completed_successfully'])
const command = z.union([z.string(), z.array(z.string())])

/** The Compose Specification's rules for the keys that our file uses. A new key has to be looked up and added here. */
const composeFile = z
  .strictObject({
    name: z.string().regex(/^[a-z\d][a-z\d_-]*$/),
    'x-milepost': z.unknown(),
    services: z.record(
      z.string().regex(/^[\w.-]+$/),
      z.strictObject({
        image: z.string(),
        build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
        restart: z.string().regex(/^(?:no|always|on-failure(?::\d+)?|unless-stopped)$/),
        init: z.boolean().optional(),
        read_only: z.boolean().optional(),
        tmpfs: z.union([z.string(), z.array(z.string())]).optional(),
        cap_drop: z.array(z.string()).optional(),
        security_opt: z.array(z.string()).optional(),
        stop_grace_period: duration.optional(),
        ulimits: z.record(z.string(), z.int()).optional(),
        environment: texts.optional(),
        command: command.optional(),
        entrypoint: command.optional(),
        ports: z.array(z.string().regex(/^\d+:\d+$/)).optional(),
        volumes: z.array(z.string().regex(/^[^:]+:\/[^:]+(?::ro)?$/)).optional(),
        healthcheck: z.strictObject({ test: command, interval: duration }).optional(),
        depends_on: z
          .union([z.array(z.string()), z.record(z.string(), z.strictObject({ condition }))])
          .optional(),
      }),
    ),
    volumes: z.record(z.string(), z.null()),
  })
  .superRefine(({ services, volumes }, context) => {
    for (const [name, { depends_on: needed = [], volumes: mounted = [] }] of Object.entries(services)) {
      for (const other of Array.isArray(needed) ? needed : Object.keys(needed))
        if (!(other in services)) context.addIssue(`${name} depends on ${other}, which is no service`)
      for (const [source = ''] of mounted.map((mount) => mount.split(':')))
        if (source.startsWith('.') ? !existsSync(path.join(FOLDER, source)) : !(source in volumes))
          context.addIssue(`${name} mounts ${source}, which does not exist`)
    }
  })

const read = async () => {
  const text = await readDeployFile('compose.yaml')
  return { text, ...composeFile.parse(parse(text, { merge: true })) }
}

test('the compose file conforms to the Compose Specification', async () => {
  await expect(read()).resolves.toMatchObject({ name: 'milepost' })
})

test('the comment of the compose file names every setting that it reads from deploy/.env', async () => {
  const { text } = await read()
  const head = text.split('\n').filter((line) => line.startsWith('#'))
  const taken = new Set([...text.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name = '']) => name))
  expect([...taken].filter((name) => !head.join('\n').includes(name))).toEqual([])
})

test('the compose file gives nginx every variable of its configuration', async () => {
  const { services } = await read()
  const { names } = templateCommand('nginx.conf.template', await readDeployFile('nginx.conf.template'))
  expect(Object.keys(services.nginx?.environment ?? {}).toSorted()).toEqual(names?.toSorted())
})

test('the compose file builds the Dockerfile of this folder, in the context of the project root', async () => {
  const { services } = await read()
  const build = services['milepost-1']?.build
  const root = path.join(FOLDER, build?.context ?? '')
  expect(existsSync(path.join(root, 'package-lock.json'))).toBe(true)
  expect(existsSync(path.join(root, build?.dockerfile ?? ''))).toBe(true)
})

test('Docker Compose accepts the file', async (context) => {
  requireProgram('docker', 'docker.io', context)
  if (run('docker', ['compose', 'version'], '.').code !== 0)
    context.skip('Docker Compose is not installed: apt-get install docker-compose-v2')
  const settings = [
    'PUBLIC_URL',
    'TOKEN_SECRET',
    'DATABASE_PASSWORD',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
  ]
  const values = Object.fromEntries(settings.map((name) => [name, 'example']))
  const options = ['compose', '-f', 'deploy/compose.yaml', 'config', '-q']
  expect(run('docker', options, '.', values)).toMatchObject({ code: 0 })
})

/** The instructions of the Dockerfile, with continued lines joined. */
const instructions = readFileSync('deploy/Dockerfile', 'utf8')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

const { scripts, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>
  devDependencies: Record<string, string>
}

test('the container installs from the lockfile, and no package needs another file of the project', () => {
  const install = instructions.findIndex((line) => line.startsWith('RUN npm ci'))
  expect(instructions[install - 1]).toBe('COPY package.json package-lock.json ./')
  // npm ci would run these before the files that they need are copied.
  const hooks = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish']
  expect(hooks.filter((name) => name in scripts)).toEqual([])
})

test('the container has the Node.js version of the project, and runs existing commands of the project', () => {
  const [major] = devDependencies.node?.split('.') ?? []
  const images = instructions.filter((line) => line.startsWith('FROM '))
  for (const image of images) expect(image).toMatch(new RegExp(`^FROM node:${major}-`))
  const run = instructions.flatMap((line) => [...line.matchAll(/npm run ([\w:-]+)/g)])
  for (const [, name = ''] of run) expect(scripts).toHaveProperty(name)
  expect(instructions.at(-1)).toContain('"server/main.ts"')
})

test('the container build ignores only generated files, secrets and the Git history', () => {
  const ignored = readFileSync('deploy/Dockerfile.dockerignore', 'utf8').trim().split('\n')
  expect(ignored.toSorted()).toEqual(['.env', '.git', 'build', 'data', 'deploy/.env', 'node_modules'])
})
