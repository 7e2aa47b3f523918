import { expect, test } from 'vitest'
import { forgetRescued, rescue, rescuedText } from './rescued-text.ts'

test('what people wrote is shown by field, and nothing else of a form', () => {
  rescue(
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
  expect(rescuedText.read()).toEqual({
    personId: 'ada',
    fields: [
      { label: 'Title', text: 'Rye' },
      { label: 'Content', text: 'Fed.' },
      { label: 'Tags', text: 'bread, oven' },
    ],
    reason: 'gone',
  })
  forgetRescued()
  expect(rescuedText.read()).toBeNull()
})

test('a form without text leaves nothing to show', () => {
  rescue('ada', { title: '', role: 'viewer' }, 'not saved')
  expect(rescuedText.read()).toBeNull()
})
