import { dateOf, firstDate } from '#server/import/converting/dates.ts'
import type { Converting } from '#server/import/converting/documents.ts'
import { readJson } from '#server/import/converting/json.ts'
import { convertJournals, type Journal, type Post } from '#server/import/converting/posts.ts'
import { isRecord, recordsIn, textIn, type UnknownRecord } from '#server/import/converting/records.ts'
import type { Item } from '#server/import/items.ts'

/** Turns the releases of repositories, as the API of GitHub lists them, into a project for each repository. */
export async function* convertReleases(converting: Converting): AsyncGenerator<Item> {
  const journals = new Map<string, Journal>()
  for (const file of converting.files) {
    const read = await readJson(file)
    for (const release of (Array.isArray(read) ? read.flat() : [read]).filter(isRecord)) {
      const address = textIn(release, 'html_url', 'url') ?? ''
      const [, repository = 'Releases'] = /^https?:\/\/[^/]+\/([^/]+\/[^/]+)\/releases\//.exec(address) ?? []
      const journal: Journal = journals.get(repository) ?? {
        key: `github:${repository}`,
        title: repository.replace(/^.*\//, ''),
        description: `Releases of ${repository}`,
        posts: [],
      }
      journals.set(repository, journal)
      journal.posts.push(...postOf(release, address, converting))
    }
  }
  yield* convertJournals(converting, [...journals.values()], { fileOf: () => undefined })
}

function postOf(release: UnknownRecord, address: string, { problems, zone }: Converting): Post[] {
  const tag = textIn(release, 'tag_name', 'tagName') ?? ''
  const title = textIn(release, 'name') ?? tag
  // `gh release list --json` calls the fields otherwise.
  const created = release.created_at ?? release.createdAt
  const happened = firstDate(
    [release.published_at ?? release.publishedAt, created],
    { zone, problems },
    title,
  )
  if (recordsIn(release, 'assets').length > 0) problems.add('its downloads stay at GitHub', title)
  const body = textIn(release, 'body')
  const author = isRecord(release.author) ? textIn(release.author, 'login') : undefined
  return [
    {
      key: textIn(release, 'node_id', 'id', 'html_url', 'url') ?? title,
      path: title,
      title,
      // A release may have a title alone.
      text: () => body ?? (address === '' ? title : `[${title}](<${address}>)`),
      happened,
      tags: release.prerelease === true || release.isPrerelease === true ? ['pre-release'] : [],
      isDraft: release.draft === true || release.isDraft === true,
      ...(author !== undefined && { author }),
      createdAt: dateOf(created, zone)?.at,
      updatedAt: dateOf(release.updated_at, zone)?.at,
      // Without a text, the link in it leads to GitHub.
      addresses: address === '' || body === undefined ? [] : [address],
    },
  ]
}
