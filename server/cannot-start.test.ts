import { expect, test } from 'vitest'
import { CannotStart, exitCodeOf, explainFileProblem, TemporaryFailure } from './cannot-start.ts'

const failed = (code: string) => Object.assign(new Error('no'), { code })

test.each([
  ['a wrong setting', new CannotStart('The setting PORT must be a number.'), 78],
  ['a temporary failure', new TemporaryFailure('The database cannot be reached.'), 75],
  ['a database that starts up', failed('57P03'), 75],
  ['a database without a free connection', failed('53300'), 75],
  ['a database that nobody listens for', failed('ECONNREFUSED'), 75],
  ['a full disk', explainFileProblem(failed('ENOSPC'), '/data'), 75],
  ['a used up disk quota', explainFileProblem(failed('EDQUOT'), '/data'), 75],
  ['a folder without access', explainFileProblem(failed('EACCES'), '/data'), 78],
  ['a disk in the network that is gone', explainFileProblem(failed('ESTALE'), '/data'), 75],
  ['a link that leads to itself', explainFileProblem(failed('ELOOP'), '/data'), 78],
  ['a program that is missing', explainFileProblem(failed('ENOENT'), '/data'), 1],
  ['a bug', new TypeError('x is not a function'), 1],
])('a start that fails because of %s has its exit code', (_, error, code) => {
  expect(exitCodeOf(error)).toBe(code)
})
