import { json, PICTURE, type Sample } from './sample.ts'

const time = { createTime: '2026-03-02T14:05:11Z', updateTime: '2026-03-02T14:20:47Z' }

/** Memos without a title, an archived one, a comment, a file by link and one with bytes, a text that is not there. */
export const memos: Sample = {
  source: 'memos',
  name: 'memos-archive-grace-20260916T083000Z.zip',
  files: {
    'manifest.json': json({
      format: 'memos-archive',
      formatVersion: '1.0',
      scope: { kind: 'USER', user: { username: 'grace' } },
    }),
    'memos/Ab3kZ9q2.json': json({
      uid: 'Ab3kZ9q2',
      creator: 'grace',
      ...time,
      state: 'NORMAL',
      visibility: 'PRIVATE',
      contentPath: 'memos/Ab3kZ9q2.md',
      tags: ['work', 'work/q3'],
      location: { placeholder: 'Office', latitude: 52, longitude: 13 },
      attachments: [
        {
          uid: 'att1',
          filename: 'white board.png',
          type: 'image/png',
          path: 'attachments/att1/white board.png',
        },
        {
          uid: 'att2',
          filename: 'spec.pdf',
          type: 'application/pdf',
          externalLink: 'https://files.example/spec.pdf',
        },
      ],
    }),
    'memos/Ab3kZ9q2.md': 'Sketch #work of the [plan](/memos/Qr5TuV88)\n\nwith **care**',
    'memos/Qr5TuV88.json': json({
      uid: 'Qr5TuV88',
      ...time,
      createTime: '2025-01-01T00:00:00Z',
      state: 'ARCHIVED',
      contentPath: 'memos/Qr5TuV88.md',
    }),
    'memos/Qr5TuV88.md': '# Plan\nAll of it',
    'memos/Com1.json': json({ uid: 'Com1', ...time, parent: 'Qr5TuV88', contentPath: 'memos/Com1.md' }),
    'memos/Com1.md': 'Agreed',
    'memos/Lost.json': json({ uid: 'Lost', ...time, contentPath: 'memos/Lost.md' }),
    'attachments/att1/white board.png': PICTURE,
  },
  counts: { projects: 1, milestones: 2, entries: 3, files: 1 },
  projects: ['Memos'],
  entries: {
    'Sketch #work of the plan': {
      milestone: '2026',
      on: '2026-03-02',
      tags: ['work', 'work/q3'],
      has: ['[plan]({Plan})', '<https://files.example/spec.pdf>', '![](/files/'],
      files: 1,
    },
    Plan: { milestone: '2025', on: '2025-01-01', has: ['All of it'], hasNot: ['# Plan'] },
    Agreed: { milestone: '2026', on: '2026-03-02', has: ['[A comment]({Plan})'] },
  },
  problems: {
    'it was archived there, and comes like the others': ['Plan'],
    'its place does not come': ['Sketch #work of the plan'],
    'the archive does not have its text': ['memos/Lost.json'],
  },
}

/** What the API returns, in a single file. */
export const memosOfApi: Sample = {
  source: 'memos',
  name: 'memos.json',
  files: {
    'memos.json': json({
      memos: [
        {
          name: 'memos/xyz',
          state: 'NORMAL',
          ...time,
          displayTime: '2024-02-29T10:00:00Z',
          content: 'A leap day',
          tags: [],
        },
      ],
      nextPageToken: '',
    }),
  },
  counts: { projects: 1, milestones: 1, entries: 1, files: 0 },
  projects: ['Memos'],
  entries: { 'A leap day': { milestone: '2024', on: '2024-02-29' } },
  problems: {},
}
