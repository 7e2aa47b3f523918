import { json, PICTURE, type Sample } from './sample.ts'

const A = '0A1B2C3D4E5F60718293A4B5C6D7E8F9'
const B = '1B2C3D4E5F60718293A4B5C6D7E8F90A'
const C = '2C3D4E5F60718293A4B5C6D7E8F90A1B'

/** Escaped punctuation, a day that is another one in UTC, pictures in the text, after it and alone, two journals, a link, a missing file. */
export const dayOne: Sample = {
  source: 'dayone',
  name: 'Export.zip',
  files: {
    'Boat.json': json({
      metadata: { version: '1.0' },
      entries: [
        {
          uuid: A,
          creationDate: '2024-12-31T22:30:00Z',
          modifiedDate: '2025-01-02T10:00:00Z',
          timeZone: 'Pacific/Auckland',
          text: '# Keel laid\n\nAt last\\. See [before](dayone2://view?entryId=1B2C3D4E5F60718293A4B5C6D7E8F90A)\n\n![](dayone-moment://PHOTOONE)\n![](dayone-moment:/video/GONE)',
          tags: ['wood', 'öl'],
          starred: true,
          photos: [
            {
              identifier: 'PHOTOTWO',
              md5: 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
              type: 'jpeg',
              orderInEntry: 1,
            },
            {
              identifier: 'PHOTOONE',
              md5: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
              type: 'jpeg',
              orderInEntry: 0,
            },
          ],
          videos: [{ identifier: 'GONE', md5: 'cccccccccccccccccccccccccccccccc', type: 'mp4' }],
          location: { placeName: 'Harbour', latitude: 1, longitude: 2 },
          weather: { temperatureCelsius: 21 },
        },
        {
          uuid: B,
          creationDate: '2024-06-01T00:30:00Z',
          timeZone: 'America/New_York',
          text: 'Bought *oak*.\nMuch of it.',
        },
        {
          uuid: C,
          creationDate: '2025-03-04T12:00:00Z',
          timeZone: 'Nowhere/Unknown',
          // Without a type, and without a checksum: the file has another ending, and the identifier as its name.
          photos: [
            { identifier: 'PHOTOTHREE', md5: 'dddddddddddddddddddddddddddddddd' },
            { identifier: 'ABCDEF0123', type: 'jpeg' },
          ],
        },
      ],
    }),
    'Garden.json': json({
      metadata: { version: '1.0' },
      entries: [
        {
          uuid: 'FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF',
          creationDate: '2023-04-05T06:07:08Z',
          timeZone: 'Europe/Berlin',
          richText: json({
            contents: [
              { attributes: { line: { header: 1 } }, text: 'Beds\n' },
              { attributes: { line: { listStyle: 'checkbox', checked: true } }, text: 'Dig\n' },
              { text: 'deep', attributes: { line: { listStyle: 'bulleted', indentLevel: 2 } } },
              { text: '\nRain ' },
              { text: 'here', attributes: { bold: true, linkURL: 'https://rain.example/' } },
              { text: '.' },
            ],
          }),
        },
        { uuid: 'EEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE', text: 'Without a date' },
      ],
    }),
    'photos/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jpeg': PICTURE,
    'photos/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.jpeg': PICTURE,
    'photos/dddddddddddddddddddddddddddddddd.png': PICTURE,
    'photos/ABCDEF0123.jpeg': PICTURE,
  },
  counts: { projects: 2, milestones: 3, entries: 4, files: 4 },
  projects: ['Boat', 'Garden'],
  entries: {
    'Keel laid': {
      milestone: '2025',
      on: '2025-01-01',
      at: '2024-12-31T22:30:00.000Z',
      tags: ['wood', 'öl'],
      has: ['At last\\.', '[before]({Bought oak.})'],
      hasNot: ['# Keel'],
      files: 2,
      cover: true,
    },
    'Bought oak.': { milestone: '2024', on: '2024-05-31', has: ['Bought *oak*.'] },
    '2025-03-04': { milestone: '2025', on: '2025-03-04', files: 2 },
    Beds: {
      milestone: '2023',
      on: '2023-04-05',
      has: ['- [x] Dig\n    - deep\n\nRain [**here**](<https://rain.example/>).'],
    },
  },
  problems: {
    'its place does not come': ['Boat, 2025-01-01, Keel laid'],
    'its weather does not come': ['Boat, 2025-01-01, Keel laid'],
    'the archive does not have a file that it shows': ['Boat, 2025-01-01, Keel laid'],
    'it has no id or no date': ['Garden'],
  },
}
