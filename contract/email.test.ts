import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { addressesIn, email, normalEmail } from './email.ts'

test.each([
  'ada@example.test',
  'Ada.Lovelace+notes@Example.TEST',
  'ivan@xn--e1afmkfd.xn--p1ai',
  'black&white@example.test',
  'pattern/of/slashes@example.test',
  "o'brien@example.test",
  '!#$%&*=?^_`{|}~@example.test',
  '.dots..everywhere.@example.test',
  'ada@engine.photography',
  'ada@localhost',
  'ada@mail.museum-of-engines.co.uk',
])('%s is an address, as in a browser', (address) => {
  expect(email.parse(`  ${address} `)).toBe(address)
})

test.each([
  'Ada Lovelace <ada@example.test>',
  '"Lovelace, Ada" <ada@example.test>',
  '<ada@example.test>',
  'mailto:ada@example.test',
  'mailto:ada@example.test?subject=The%20keel',
  '\u202aada@example.test\u202c',
  'ada\u200b@example.test',
  '\uFEFFada@example.test',
  'ada@example.test,',
  'ada@example.test. ',
  'ada＠example.test',
  'ａｄａ＠ｅｘａｍｐｌｅ．ｔｅｓｔ',
])('%s is the address in it', (copied) => {
  expect(email.parse(copied)).toBe('ada@example.test')
})

test.each([
  'ada',
  'Ada <ada>',
  'ada@',
  '@example.test',
  'ada@-example.test',
  'ada@example-.test',
  'ada@example..test',
  'ada lovelace@example.test',
  'ada@exam ple.test',
  'ada@example.test, bob@example.test',
  'ada@example.test/path',
  'ada@example.test:25',
  'ада@example.test',
  'ada@example.test\u0000',
  `${'a'.repeat(250)}@example.test`,
  `ada@${'ж'.repeat(200)}.example`,
])('%j is no address', (address) => {
  expect(email.safeParse(address)).toMatchObject({ success: false })
})

test.each([
  'ada@example.test, bob@example.test',
  'ada@example.test;bob@example.test;',
  'ada@example.test bob@example.test',
  'ada@example.test\r\nbob@example.test\r\n',
  '"Lovelace, Ada" <ada@example.test>, Bob <bob@example.test>',
  'Ada <ada@example.test>, ada@example.test bob@example.test',
  'mailto:ada@example.test, bob@example.test, ada@example.test',
])('%j is a list of addresses, of which a field for one takes none', (text) => {
  expect(addressesIn(text)).toEqual(['ada@example.test', 'bob@example.test'])
  expect(email.safeParse(text).error?.issues).toMatchObject([
    { message: 'Enter one email address at a time' },
  ])
})

test.each([
  'ada@example.test',
  'ada@example.test,',
  '"Lovelace, Ada" <ada@example.test>',
  'ada lovelace@example.test, bob@example.test',
  'ada@example,test',
  'ada@example.test, bob',
  'a@b.test,'.repeat(60),
])('%j is no list of addresses', (text) => {
  expect(addressesIn(text)).toBeNull()
})

test.each([
  ['ivan@пример.рф', 'ivan@xn--e1afmkfd.xn--p1ai'],
  ['ivan@ПРИМЕР.РФ', 'ivan@xn--e1afmkfd.xn--p1ai'],
  ['hanako@例え。テスト', 'hanako@xn--r8jz45g.xn--zckzah'],
  ['grace@mu\u0308ller.example', 'grace@xn--mller-kva.example'],
  ['grace@müller.example', 'grace@xn--mller-kva.example'],
])('%s is the same address as %s', (typed, ascii) => {
  expect(email.parse(typed)).toBe(ascii)
  expect(email.parse(ascii)).toBe(ascii)
})

test('a normal form stays as it is, whatever was typed', () => {
  assert(
    property(string({ unit: 'grapheme' }), string({ unit: 'grapheme' }), (local, domain) => {
      const normal = normalEmail(`${local}@${domain}`)
      expect(normalEmail(normal)).toBe(normal)
      const accepted = email.safeParse(`${local}@${domain}`).data ?? 'ada@example.test'
      expect(email.parse(accepted)).toBe(accepted)
    }),
  )
})
