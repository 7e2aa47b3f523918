import { expect, test } from 'vitest'
import { MEGABYTE } from '#contract/parts/sizes.ts'
import { uploadedFile } from './upload-response.ts'

const page = (status: number) => new Response(`<html><h1>${status}</h1></html>`, { status })
const read = (response: Response) => uploadedFile(response, 'file-1', 31 * MEGABYTE)

test('an answer of Milepost is returned, or thrown with its message', async () => {
  const file = { _id: 'file-1', state: 'ready' }
  expect(await read(Response.json(file))).toEqual(file)
  const message = '“boards.jpg” is too large: a picture may have at most 25 MB'
  await expect(read(Response.json({ code: 'too_large', message }, { status: 413 }))).rejects.toMatchObject({
    message,
    isFromServer: true,
  })
})

test.each([
  [
    'the limit of a proxy',
    413,
    /^A proxy in front of Milepost lets no file of 31 MB through.*kept/,
    'too_large',
  ],
  [
    'a proxy without a server',
    502,
    /^A proxy in front of Milepost responded with an error \(502\).*sent again/,
    'unavailable',
  ],
  ['a proxy of a busy server', 503, /\(503\)/, 'unavailable'],
  ['a proxy that waited too long', 504, /\(504\)/, 'unavailable'],
  ['a proxy that is slow to receive', 408, /\(408\)/, 'unavailable'],
  ['a firewall', 403, /^A proxy or firewall in front of Milepost refused the file \(403\).*kept/, 'invalid'],
])('an answer that is not of Milepost names its cause: %s', async (_what, status, message, code) => {
  await expect(read(page(status))).rejects.toMatchObject({
    status,
    code,
    message: expect.stringMatching(message),
  })
  await expect(read(page(status))).rejects.toMatchObject({ isFromServer: false })
})

test.each([
  ['the page of a network', '<html>Please accept our terms</html>'],
  ['an answer that was cut off', '{"_id":"file-1","sta'],
  ['nothing', ''],
  ['another file', JSON.stringify({ _id: 'file-2', state: 'ready' })],
  ['JSON of something else', '{"ok":true}'],
  ['null', 'null'],
])('%s with the status 200 is no success, and the file is sent again', async (_what, text) => {
  await expect(read(new Response(text))).rejects.toMatchObject({
    status: 0,
    code: 'unavailable',
    message: expect.stringMatching(/^Something else responded in place of Milepost/),
  })
})
