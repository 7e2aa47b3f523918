import { expect, test } from 'vitest'
import { normalEmail } from '#contract/email.ts'
import { readableEmail } from './readable-email.ts'

test.each([
  'ivan@пример.рф',
  'grace@müller.example',
  'hanako@例え.テスト',
  'ada@example.test',
  'Ada@Example.test',
])('%s is shown as it is read', (address) => {
  expect(readableEmail(normalEmail(address))).toBe(address)
})

test.each(['ada@аррӏе.example', 'ada@gооgle.example', 'ada@οοο.example'])(
  '%s, which looks like another address, is shown in ASCII',
  (address) => {
    expect(readableEmail(normalEmail(address))).toBe(normalEmail(address))
  },
)

test.each(['ada@xn--.example', 'ada@xn--a.example', 'xn--ada@example.test', '@xn--', ''])(
  '%j is shown as it is stored',
  (address) => {
    expect(readableEmail(address)).toBe(address)
  },
)
