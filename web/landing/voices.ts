/** A message of an invented person. */
export type Message = { speaker: string; text: string }

/** Two short conversations, each between two people; the second speaker's messages are on the right. */
export const conversations: readonly (readonly Message[])[] = [
  [
    { speaker: 'A bread baker', text: 'Loaf fourteen. The crumb is open at last.' },
    { speaker: 'A thesis writer', text: 'How do you know what changed since loaf nine?' },
    {
      speaker: 'A bread baker',
      text: 'I wrote every loaf down: flour, hours, and one honest sentence.',
    },
    { speaker: 'A thesis writer', text: 'I should do that with chapter three.' },
  ],
  [
    { speaker: 'A pond digger', text: 'Milestone four is done. The pond holds water!' },
    { speaker: 'A science teacher', text: 'We know. My class has been reading along.' },
    { speaker: 'A pond digger', text: 'The whole class? Did they all sign up?' },
    { speaker: 'A science teacher', text: 'Nobody had to. You shared the link, we followed the trail.' },
  ],
]

export const testimonials: readonly Message[] = [
  {
    speaker: 'A thesis writer',
    text: 'From the inside, eleven months look like nothing happened. Laid out as a trail, they look like a climb.',
  },
  {
    speaker: 'A boat restorer',
    text: 'Four of us, one hull, weekends only. The page is where we agree on what is really finished.',
  },
]
