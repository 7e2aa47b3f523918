import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { withTemporaryDirectory } from '#testing/cleanup.ts'
import { loadEnvFile } from './env-file.ts'
import { settingNames } from './settings.ts'

/** Loads a file of this text; returns the sentences about it and the environment afterwards. */
const load = (text: string | Buffer, given: NodeJS.ProcessEnv = {}) =>
  withTemporaryDirectory(async (directory) => {
    const file = path.join(directory, '.env')
    await writeFile(file, text)
    const environment = { ...given }
    return { said: loadEnvFile(file, settingNames, environment).join('\n'), environment }
  })

describe('a name that is not a setting is reported', () => {
  test.each([
    ['REGISTRAION=closed', 'did you mean REGISTRATION?'],
    ['registration=closed', 'did you mean REGISTRATION?'],
    ['TRUSTPROXY=on', 'did you mean TRUST_PROXY?'],
    ['COLOUR=green', 'COLOUR in'],
    ['REGISTRATION: closed', 'The line of REGISTRATION in'],
    ['PORT 8080', 'The line of PORT in'],
    ['REGISTRATION', 'The line of REGISTRATION in'],
    ['REGISTRATION->closed', 'The line of REGISTRATION in'],
    ['REGISTRATION=open\nexport REGISTRATION = closed', 'REGISTRATION is more than once in'],
  ])('%s', async (text, sentence) => {
    expect((await load(`HOST=::1\n${text}\n`)).said).toContain(sentence)
  })

  test('also in the environment, if it is nearly a setting', async () => {
    const { said } = await load('', { SMTP_UR: 'smtp://mail', HOSTNAME: 'a', PATH: '/bin', EDITOR: 'ed' })
    expect(said).toBe('The variable SMTP_UR is not a setting of Milepost; did you mean SMTP_URL?')
  })

  test('but not those that other programs read', async () => {
    const { said } = await load('TZ=UTC\nNODE_OPTIONS=\nAWS_PROFILE=a\nCOMPOSE_PROJECT_NAME=a\nHTTPS_PROXY=a')
    expect(said).toBe('')
  })
})

test.each(['SMTP_URL=smtp://a:b#c@mail', 'TOKEN_SECRET=#abc', 'export SMTP_URL = a#b # c', 'S3_BUCKET=a# b'])(
  'a # that would cut a value is refused: %s',
  async (text) => {
    await expect(load(text)).rejects.toThrow('put the value in quotes')
  },
)

test.each([
  'TOKEN_SECRET="abc"def',
  'TOKEN_SECRET="abc"#def',
  "TOKEN_SECRET='it''s'",
  String.raw`TOKEN_SECRET="a\"b"`,
  'TOKEN_SECRET="abc',
  'export TOKEN_SECRET = `abc` def # ours',
  'SMTP_URL="a\nREGISTRATION=closed\nMAIL_FROM="b"',
  "PASSWORD='a\nREGISTRATION=closed\nNAME='b",
])('a quotation mark that would cut a value, or take other lines into it, is refused: %j', async (text) => {
  await expect(load(`${text}\n`)).rejects.toThrow('does not end with its first')
})

test.each([Buffer.from('PORT=3001\n', 'utf16le'), Buffer.from('MAIL_FROM=B\u00FCro\n', 'latin1')])(
  'a file in another encoding is refused',
  async (bytes) => {
    await expect(load(bytes)).rejects.toThrow('is not in UTF-8')
  },
)

test.each([
  ['SMTP_URL="smtp://a:b#c@mail" # ours', 'smtp://a:b#c@mail'],
  ["SMTP_URL='a#b'", 'a#b'],
  ['SMTP_URL=a # c#d', 'a'],
  ['SMTP_URL= # later', ''],
  ['SMTP_URL=\'say "a"\'', 'say "a"'],
  ['SMTP_URL="it\'s"\r\n', "it's"],
  ['POSTGRES_KEY="-----\nabc\n-----"\nSMTP_URL=`a`', 'a'],
  ['\uFEFFSMTP_URL=a\r\n#HOST=b#c', 'a'],
])('%j is read as it is meant', async (text, value) => {
  const { said, environment } = await load(text)
  expect([said, environment.SMTP_URL]).toEqual(['', value])
})

test.each([Buffer.from('\uFEFFPORT=3001\r\n', 'utf16le'), Buffer.from('\uFEFFPORT=3001\r\n')])(
  'a file is read in the encodings of Windows',
  async (bytes) => {
    const { said, environment } = await load(bytes)
    expect([said, environment]).toEqual(['', { PORT: '3001' }])
  },
)

test('the environment overrides the file, which may be absent', async () => {
  expect((await load('PORT=1', { PORT: '2' })).environment).toEqual({ PORT: '2' })
  expect(loadEnvFile('/no/such/file', settingNames, {})).toEqual([])
})
