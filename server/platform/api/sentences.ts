import { z } from 'zod'
import { mustBeOneOf } from '#contract/parts/wire.ts'

/** What a value of a type is called in a sentence. */
export const EXPECTED: { [type: string]: string } = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  uuid: 'an id',
  date: 'a day, as in 2026-03-04',
  datetime: 'a date and time, as in 2026-03-04T05:06:07Z',
  email: 'an email address',
  url: 'a URL',
}

const UNITS: { [origin: string]: string } = { string: ' characters', array: ' items' }

/** Makes the sentences of the validations that have none of their own begin with the name of the field. Call it before the first one. */
export function speakPlainly(): void {
  z.config({ customError: sentenceOf })
}

function sentenceOf(issue: z.core.$ZodRawIssue): string {
  const name = issue.path?.length ? issue.path.join('.') : 'The body'
  if (issue.code === 'invalid_type' && issue.input === undefined) return `${name} is required`
  if (issue.code === 'invalid_value') return mustBeOneOf(name, issue.values.map(String))
  if (issue.code === 'too_small') return `${name} must ${be(issue)} at least ${amount(issue.minimum, issue)}`
  if (issue.code === 'too_big') return `${name} must ${be(issue)} at most ${amount(issue.maximum, issue)}`
  const expected =
    issue.code === 'invalid_type' ? issue.expected : issue.code === 'invalid_format' ? issue.format : ''
  return EXPECTED[expected] ? `${name} must be ${EXPECTED[expected]}` : `${name} is not valid`
}

type Bounded = { origin: string }
const be = ({ origin }: Bounded) => (UNITS[origin] ? 'have' : 'be')
const amount = (bound: number | bigint, { origin }: Bounded) => `${bound}${UNITS[origin] ?? ''}`
