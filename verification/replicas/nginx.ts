import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { registerCleanup, temporaryDirectory } from '#testing/cleanup.ts'
import { renderTemplate } from '#testing/deploy.ts'

/** The main configuration file of nginx, which includes ours. */
const MAIN_CONFIG = `
daemon off;
pid nginx.pid;
error_log error.log warn;
worker_processes 2;
events {}
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  include milepost.conf;
}
`

/** The arguments and environment for running nginx in a separate directory, or for testing its configuration. */
export const nginxIn = (folder: string) => ({
  args: ['-p', folder, '-e', 'error.log', '-c', path.join(folder, 'nginx.conf')],
  // Debian installs nginx in /usr/sbin, which is not in every PATH.
  env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
})

/** Writes a configuration around `milepost.conf`, the rendered `deploy/nginx.conf.template`. */
export async function writeNginxConfig(folder: string, milepostConf: string): Promise<void> {
  await writeFile(path.join(folder, 'milepost.conf'), milepostConf)
  await writeFile(path.join(folder, 'nginx.conf'), MAIN_CONFIG)
}

/** Starts nginx with the configuration of `deploy/` in front of servers on the given local ports. */
export async function startNginx(port: number, replicas: number[]) {
  const { directory: folder, remove } = await temporaryDirectory()
  const rendered = await renderTemplate('nginx.conf.template', {
    MILEPOST_LISTEN: `127.0.0.1:${port}`,
    MILEPOST_TLS: '',
    MILEPOST_REPLICAS: replicas
      .map((replica) => `server 127.0.0.1:${replica} max_fails=1 fail_timeout=1s;`)
      .join('\n  '),
  })
  await writeNginxConfig(folder, rendered)
  const { args, env } = nginxIn(folder)
  const child = spawn('nginx', args, { stdio: ['ignore', 'ignore', 'inherit'], env })
  const stop = registerCleanup(async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    await remove()
  })
  const failed = once(child, 'exit').then(() => {
    throw new Error('nginx ended; see its message above')
  })
  await Promise.race([failed, waitUntilListening(port)])
  failed.catch(() => undefined) // the caller stops it
  return { url: `http://localhost:${port}`, stop }
}

async function waitUntilListening(port: number): Promise<void> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(50))
    if (await fetch(`http://localhost:${port}/healthz`).catch(() => null)) return
  throw new Error('nginx did not listen within ten seconds')
}
