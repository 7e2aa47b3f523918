import { expect, test } from 'vitest'
import { addressLines } from './listening-addresses.ts'

const local = { port: 3000, publicUrl: 'http://localhost:3000' }
const interfaces = {
  lo: [{ address: '127.0.0.1', internal: true }],
  eth0: [
    { address: '192.168.1.20', internal: false },
    { address: 'fe80::1', internal: false },
    { address: 'fd00::20', internal: false },
  ],
} as never

test.each(['127.0.0.1', '127.0.0.53', '::1', 'localhost'])(
  'a server at %s is opened at its public URL',
  (host) => {
    expect(addressLines({ ...local, host }, interfaces)).toEqual(['Milepost is ready: http://localhost:3000'])
  },
)

test('a server with a public URL is opened there', () => {
  const settings = { host: '0.0.0.0', port: 3000, publicUrl: 'https://milepost.example' }
  expect(addressLines(settings, interfaces)).toEqual(['Milepost is ready: https://milepost.example'])
})

test.each([
  ['0.0.0.0', 'http://192.168.1.20:3000'],
  ['::', 'http://192.168.1.20:3000 or http://[fd00::20]:3000'],
  ['192.168.1.20', 'http://192.168.1.20:3000'],
  ['attic', 'http://attic:3000'],
])('a server at %s without a public URL says where to open it, and what to set', (host, addresses) => {
  const [where, what, ready] = addressLines({ ...local, host }, interfaces)
  expect(where).toBe(`From other devices, open ${addresses}.`)
  expect(what).toContain(`such as PUBLIC_URL=${addresses.split(' ')[0]}.`)
  expect(ready).toBe('Milepost is ready: http://localhost:3000')
})

test('a machine without another address still says what to set', () => {
  const lines = addressLines({ ...local, host: '0.0.0.0' }, {})
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain('Set PUBLIC_URL to the address that people type')
})
