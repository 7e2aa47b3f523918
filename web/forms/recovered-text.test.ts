import { expect, test } from 'vitest'
import { dismissRecovered, recoveredText, recoverText } from './recovered-text.ts'

test('only the text fields of a form are recovered', () => {
  recoverText(
    'ada',
    {
      _id: '1',
      title: 'Rye',
      description: ' ',
      tags: ['bread', 'oven'],
      content: 'Fed.',
      completed: true,
    },
    'gone',
  )
  expect(recoveredText.read()).toEqual({
    personId: 'ada',
    fields: [
      { label: 'Title', text: 'Rye' },
      { label: 'Content', text: 'Fed.' },
      { label: 'Tags', text: 'bread, oven' },
    ],
    reason: 'gone',
  })
  dismissRecovered()
  expect(recoveredText.read()).toBeNull()
})

test('nothing is recovered of a form without text', () => {
  recoverText('ada', { title: '', role: 'viewer' }, 'not saved')
  expect(recoveredText.read()).toBeNull()
})
