import { copyFile, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { CANNOT_START_CODE } from '#server/cannot-start.ts'
import { outcomeUnknown } from '#server/platform/api/errors.ts'
import { temporaryDirectory } from '#testing/cleanup.ts'
import { DEPLOY, readDeployFile, renderTemplate, substitute, templateCommand } from '#testing/deploy.ts'
import { nginxIn, writeNginxConfig } from '#verification/replicas/nginx.ts'
import { requireProgram, run } from './programs.ts'

/** The variables that an operator of two servers would export, as the comments describe. */
const examples: Record<string, Record<string, string>> = {
  'nginx.conf.template': {
    MILEPOST_LISTEN: '127.0.0.1:8443',
    MILEPOST_TLS: '',
    MILEPOST_REPLICAS:
      'server 10.0.0.11:3000 max_fails=1 fail_timeout=1s;\nserver 10.0.0.12:3000 max_fails=1 fail_timeout=1s;',
  },
  'haproxy.cfg.template': {
    DATABASE_LISTEN: '127.0.0.1:5000',
    DATABASE_NODES: 'server d1 10.0.0.21:5432 check port 8008\nserver d2 10.0.0.22:5432 check port 8008',
  },
  'patroni.yml.template': {
    NODE_NAME: 'd1',
    NODE_IP: '10.0.0.21',
    NODE_PORT: '5432',
    NODE_API_PORT: '8008',
    NODE_PROGRAMS: '/usr/lib/postgresql/15/bin',
    NODE_DATA: '/var/lib/postgresql/15/milepost',
    CLUSTER_NETWORK: '10.0.0.0/24',
    CLUSTER_ETCD: '10.0.0.11:2379,10.0.0.21:2379,10.0.0.22:2379',
    CLUSTER_PASSWORD: 'lettersanddigits1',
  },
  'pgbouncer.ini.template': {
    DATABASE_HOST: '127.0.0.1',
    DATABASE_PORT: '5000',
    POOLER_PORT: '6432',
    POOLER_USERS: '/etc/pgbouncer/userlist.txt',
  },
}
const templates = Object.entries(examples)

/** Returns the variables of a template that envsubst must not replace. */
const foreign = (name: string, text: string) =>
  [...text.matchAll(/\$\{?([a-z_]\w*)/g)].map(([, found]) => `${name}: ${found}`)

test.each(templates)(
  '%s, rendered with the command in its comment, keeps the variables of its program',
  async (name, variables) => {
    const template = await readDeployFile(name)
    const rendered = await renderTemplate(name, variables)
    expect(foreign(name, rendered)).toEqual(foreign(name, template))
    expect(rendered).not.toMatch(/\$\{?[A-Z]/)
    for (const value of Object.values(variables)) expect(rendered).toContain(value)
  },
)

test.each(templates)(
  'the comment of %s names every variable, and a value of several lines leaves no comment',
  async (name, variables) => {
    const template = await readDeployFile(name)
    const { names } = templateCommand(name, template)
    expect(names?.toSorted()).toEqual(Object.keys(variables).toSorted())
    const comments = template.split('\n').filter((line) => /^\s*[#;]/.test(line))
    expect(comments.filter((line) => substitute(line, {}, names) !== line)).toEqual([])
  },
)

test('the comment names the variables for envsubst, which would otherwise also replace those of nginx', async () => {
  const template = await readDeployFile('nginx.conf.template')
  const emptied = substitute(template, examples['nginx.conf.template'] ?? {}, undefined)
  expect(emptied).toContain('proxy_set_header Host ;')
  expect(await renderTemplate('nginx.conf.template', examples['nginx.conf.template'] ?? {})).toContain(
    'proxy_set_header Host $http_host;',
  )
})

test.for(templates)(
  'the command in the comment of %s renders it in a shell',
  async ([name, variables], context) => {
    requireProgram('envsubst', 'gettext-base', context)
    const { directory } = await folder()
    await copyFile(new URL(name, DEPLOY), path.join(directory, name))
    const { command, target } = templateCommand(name, await readDeployFile(name))
    expect(run('sh', ['-ec', command], directory, variables)).toEqual({ code: 0, output: '' })
    expect(await readFile(path.join(directory, target), 'utf8')).toBe(await renderTemplate(name, variables))
  },
)

test('nginx returns the server’s own error for an interrupted write', async () => {
  const { code, message } = outcomeUnknown()
  expect(await readDeployFile('nginx.conf.template')).toContain(`'${JSON.stringify({ code, message })}'`)
})

test('nginx accepts its configuration', async (context) => {
  requireProgram('nginx', 'nginx', context)
  expect(await testNginx({})).toMatchObject({ code: 0, output: expect.not.stringContaining('[warn]') })
})

test('nginx accepts its configuration with TLS', async (context) => {
  requireProgram('nginx', 'nginx', context)
  requireProgram('openssl', 'openssl', context)
  const { directory } = await folder()
  const files = ['-keyout', 'key.pem', '-out', 'cert.pem']
  run(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=milepost.example', ...files],
    directory,
  )
  const [certificate, key] = ['cert.pem', 'key.pem'].map((file) => path.join(directory, file))
  const tls = {
    MILEPOST_LISTEN: '127.0.0.1:8443 ssl',
    MILEPOST_TLS: `ssl_certificate ${certificate};\nssl_certificate_key ${key};`,
  }
  expect(await testNginx(tls)).toMatchObject({ code: 0, output: expect.not.stringContaining('[warn]') })
})

async function testNginx(variables: Record<string, string>) {
  const { directory } = await folder()
  const rendered = await renderTemplate('nginx.conf.template', {
    ...examples['nginx.conf.template'],
    ...variables,
  })
  await writeNginxConfig(directory, rendered)
  return run('nginx', ['-t', ...nginxIn(directory).args], directory)
}

test('HAProxy accepts its configuration', async (context) => {
  requireProgram('haproxy', 'haproxy', context)
  const { directory } = await folder()
  const file = path.join(directory, 'haproxy.cfg')
  await writeFile(file, await renderTemplate('haproxy.cfg.template', examples['haproxy.cfg.template'] ?? {}))
  expect(run('haproxy', ['-c', '-V', '-f', file], directory)).toMatchObject({ code: 0 })
})

test('the configuration of Patroni is valid YAML whose strings are quoted', async () => {
  const rendered = await renderTemplate('patroni.yml.template', examples['patroni.yml.template'] ?? {})
  expect(parse(rendered)).toMatchObject({
    scope: 'milepost',
    name: 'd1',
    bootstrap: { dcs: { synchronous_mode: true, ttl: 15 } },
    postgresql: {
      listen: '10.0.0.21:5432',
      authentication: { superuser: { password: 'lettersanddigits1' } },
    },
  })
})

test('systemd restarts a replica after any number of temporary failures, but not after an invalid setting', async () => {
  const unit = await readDeployFile('milepost@.service')
  expect(unit).toMatch(/^Restart=on-failure$/m)
  expect(unit).toMatch(new RegExp(`^RestartPreventExitStatus=${CANNOT_START_CODE}$`, 'm'))
  expect(unit).toMatch(/^\[Unit\][^[]*^StartLimitIntervalSec=0$/m)
})

test('systemd accepts the unit of a replica', async (context) => {
  requireProgram('systemd-analyze', 'systemd', context)
  const { directory } = await folder()
  const unit = path.join(directory, 'milepost@3001.service')
  await copyFile(new URL('milepost@.service', DEPLOY), unit)
  expect(run('systemd-analyze', ['verify', unit], directory)).toEqual({ code: 0, output: '' })
})

async function folder() {
  const made = await temporaryDirectory()
  onTestFinished(made.remove)
  return made
}
