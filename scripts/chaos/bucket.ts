import { setTimeout as sleep } from 'node:timers/promises'
import { leftover } from '#e2e/leftovers.ts'
import { startServer } from '#e2e/start-server.ts'
import { picture } from '#server/media/testing.ts'
import { testBucket } from '#server/platform/files/testing.ts'
import { demandRefusal, demandStatus, requireAccess } from './demand.ts'
import { openGate } from './gate.ts'
import { signUp } from './person.ts'
import { countEntries, entryForm, makeStory, postForm } from './story.ts'

const FILES_OF_AN_IMAGE = 2
const SWEEP_MS = 20_000

/** Takes the bucket away: texts are saved and read, images are refused and leave nothing, and work when it is back. */
export async function bucket(say: (text: string) => void): Promise<void> {
  const kept = await testBucket()
  const close = leftover(kept.close)
  const gate = await openGate(Number(new URL(kept.settings.endpoint ?? '').port))
  const server = await startServer({
    S3_BUCKET: kept.settings.name,
    S3_ENDPOINT: `http://127.0.0.1:${gate.port}`,
    S3_PATH_STYLE: 'on',
    S3_ACCESS_KEY_ID: kept.settings.accessKey?.id ?? '',
    S3_SECRET_ACCESS_KEY: kept.settings.accessKey?.secret ?? '',
  })
  try {
    const person = await signUp(server.url)
    const story = await makeStory(person, true)
    const image = new Uint8Array(await picture(400, 300).png().toBuffer())
    const post = (form: FormData) => postForm(server.url, person, story, form)
    const shown = (await (await post(entryForm(image))).json()) as { imageURL: string }

    await gate.shut()
    await demandStatus(post(entryForm()), 201, 'text without the bucket')
    const storing = await demandRefusal(post(entryForm(image)), 'an image without the bucket')
    await demandStatus(fetch(`${server.url}/world/${story.projectId}`), 200, 'a page without the bucket')
    const reading = await demandRefusal(
      fetch(new URL(shown.imageURL, server.url)),
      'reading an image without it',
    )
    requireAccess((await countEntries(person, story)) === 2, 'a refused entry is there')

    await gate.open()
    await demandStatus(post(entryForm(image)), 201, 'an image once the bucket is back')
    await demandStatus(fetch(new URL(shown.imageURL, server.url)), 200, 'reading an image once it is back')
    await sleep(SWEEP_MS)
    const files = await kept.kept()
    requireAccess(
      files.length === 2 * FILES_OF_AN_IMAGE,
      `the bucket holds ${files.length} files of two images`,
    )
    say(
      `bucket gone: storing "${storing}", reading "${reading}"; texts and pages went on, nothing half stored`,
    )
  } finally {
    await server.stop()
    await gate.shut()
    await close()
  }
}
