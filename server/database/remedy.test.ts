import { expect, test } from 'vitest'
import { remedyFor } from './remedy.ts'

test.each([
  [
    'no pg_hba.conf entry for host "127.0.0.1", user "app", database "mp", no encryption',
    'sslmode=verify-full',
  ],
  ['self-signed certificate in certificate chain', 'sslrootcert=FILE'],
  ['self-signed certificate', 'sslrootcert=FILE'],
  ['unable to get local issuer certificate', 'sslrootcert=FILE'],
  ["Hostname/IP does not match certificate's altnames: Host: db", 'for another host'],
  ['The server does not support SSL connections', 'remove sslmode'],
  ['password authentication failed for user "app"', 'percent-encoded'],
  ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', 'percent-encoded'],
  ['no pg_hba.conf entry for host "10.0.0.1", user "app", database "mp", SSL encryption', 'let pg_hba.conf'],
  ['database "milepost" does not exist', 'create it'],
  ['permission denied for schema public', 'alter database'],
  ['permission denied for database mp', 'alter database'],
])('an operator is told what to do about: %s', (message, remedy) => {
  expect(remedyFor(new Error(message))).toContain(remedy)
})

test.each([
  ['28P01', 'Passwort-Authentifizierung für Benutzer »app« fehlgeschlagen', 'percent-encoded'],
  ['3D000', 'La base de données « mp » n’existe pas', 'create it'],
  ['42501', 'нет доступа к схеме public', 'alter database'],
])('a remedy is named in whatever language the server says %s', (code, message, remedy) => {
  expect(remedyFor(Object.assign(new Error(message), { code }))).toContain(remedy)
})

test('nothing is guessed about other errors', () => {
  expect(remedyFor(new Error('timeout expired'))).toBe('')
  expect(remedyFor(undefined)).toBe('')
})
