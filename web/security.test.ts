import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const rows = readFileSync('docs/security/asvs.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [row = '', shownBy = ''] = line.slice(2, -2).split(' | ')
    let file = ''
    const tests = Array.from(
      shownBy.matchAll(/`(?:([^`]+\.tsx?) )?› ([^`]+)`/g),
      ([, its = file, title = '']) => {
        file = its
        return { file, title }
      },
    )
    return { row, shownBy, tests }
  })

test('every requirement names a test or gives a reason', () => {
  expect(rows.length).toBeGreaterThan(40)
  const unfounded = rows.filter(
    ({ tests, shownBy }) => tests.length === 0 && !/^(No|In part|Read): ./.test(shownBy),
  )
  expect(unfounded.map(({ row }) => row)).toEqual([])
})

/** The number of requirements in each section of a chapter. */
const chapters = { 6: [3, 12, 8, 6, 8, 4, 2, 4], 7: [3, 4, 2, 5, 3, 2] }

test('every requirement about authentication and sessions has a row', () => {
  const covered = new Set(rows.flatMap(({ row }) => row.match(/\b\d+\.\d+\.\d+\b/g) ?? []))
  const required = Object.entries(chapters).flatMap(([chapter, sections]) =>
    sections.flatMap((count, section) =>
      Array.from({ length: count }, (_, index) => `${chapter}.${section + 1}.${index + 1}`),
    ),
  )
  expect(required.filter((requirement) => !covered.has(requirement))).toEqual([])
})

test('every test that a requirement names exists', () => {
  const missing = rows.flatMap(({ row, tests }) =>
    tests
      .filter(({ file, title }) => {
        const source = existsSync(file) ? readFileSync(file, 'utf8') : ''
        return !["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote},`))
      })
      .map(({ file, title }) => ({ row, test: `${file} › ${title}` })),
  )
  expect(missing).toEqual([])
})

const sources = globSync('{contract,server,web}/**/*.{ts,tsx}').filter((file) => !/test(ing)?[.-]/.test(file))

test('the sources use no other hashes, keys and ciphers than SECURITY.md lists', () => {
  const call =
    /\bcreate(?:Hash|Hmac|Cipheriv|Sign)\('[\w-]+|\b(?:hkdf|pbkdf2|scrypt)(?:Sync)?\('?[\w-]+|'(?:A\d{3}|[HRPE]S\d{3})\w*'/g
  const found = sources.flatMap((file) => readFileSync(file, 'utf8').match(call) ?? [])
  expect([...new Set(found)].toSorted()).toEqual([
    "'A256GCM'",
    "'ES256'",
    "'ES384'",
    "'ES512'",
    "'HS256'",
    "'HS384'",
    "'HS512'",
    "'PS256'",
    "'PS384'",
    "'PS512'",
    "'RS256'",
    "'RS384'",
    "'RS512'",
    "createCipheriv('aes-256-gcm",
    "createHash('sha256",
    "createHmac('sha256",
    "hkdfSync('sha256",
  ])
})

test('predictable random numbers are only used for delays', () => {
  const guessable = sources.filter((file) => readFileSync(file, 'utf8').includes('Math.random'))
  expect(guessable.map((file) => file.replaceAll('\\', '/'))).toEqual(['web/api/backoff.ts'])
})
