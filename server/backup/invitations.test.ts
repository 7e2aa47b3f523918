import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#server/database/connect.ts'
import { testIdentity } from '#server/identity/testing.ts'
import { derive } from '#server/platform/secrets.ts'
import { createTokenCipher } from '#server/platform/token-cipher.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { backUpFrom, backupFixture, restoreInto } from './testing.ts'

let bench: Awaited<ReturnType<typeof backupFixture>>
let t: TestApp
beforeAll(async () => {
  bench = await backupFixture()
  t = await testApp()
})
afterAll(async () => {
  await t.close()
  await bench.close()
})

test('an archive contains no invitation links; they work after a restore, and are shown if the secret was restored too', {
  tags: ['long'],
}, async () => {
  const [owner, grace] = [await t.person(), await t.person()]
  const { _id: projectId } = await t.project(owner)
  const { inviteToken } = await t.invitation(owner, projectId, { email: grace.email })
  const [archive, to, files] = [bench.archive(), await bench.empty(), await bench.files()]
  await backUpFrom(t.config, files, archive)
  expect(gunzipSync(await readFile(archive)).includes(inviteToken)).toBe(false)

  await restoreInto(to, files, archive)
  const restored = connect(to, pino({ level: 'silent' }))
  const deps = { db: restored.db, identity: testIdentity(restored.db) }
  const elsewhere = { current: derive('the secret of the other server'), previous: null }
  const withSecret = await t.replica(deps)
  const without = await t.replica({ ...deps, tokenCipher: createTokenCipher(elsewhere) })
  const rows = async (app: typeof without) =>
    (await app.inject({ url: `/api/projects/${projectId}/collaborators`, headers: owner.headers })).json()
  expect(await rows(withSecret)).toMatchObject([{ status: 'pending', inviteToken }])
  const [hidden] = await rows(without)
  expect(hidden).toMatchObject({ status: 'pending' })
  expect(hidden).not.toHaveProperty('inviteToken')
  const { headers } = grace
  const url = `/api/collaborators/accept/${inviteToken}`
  const accepted = await without.inject({ method: 'POST', url, headers })
  expect([accepted.statusCode, accepted.json().redirectTo]).toEqual([200, `/projects/${projectId}`])
  await Promise.all([withSecret.close(), without.close()])
  await restored.close()
})
