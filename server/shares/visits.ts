import { id as idSchema } from '#contract/parts/wire.ts'
import type { AppDeps } from '#server/deps.ts'
import { findReadyFile, type Readable } from '#server/files/media.ts'
import type { FileVariant } from '#server/files/storage-keys.ts'
import { provenByEmail } from '#server/followers/email-path.ts'
import type { PublicReader } from '#server/pages/sources.ts'
import { readCookies } from '#server/platform/api/cookies.ts'
import { AppError, notFound } from '#server/platform/api/errors.ts'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import { type AttemptLimits, countAttempt } from '#server/platform/limits/limits.ts'
import { networkOf } from '#server/platform/network.ts'
import { hashOfToken } from '#server/platform/token-hash.ts'
import { readSharedEntry, readSharedPage } from '#server/public/service.ts'
import { readSharedStory } from '#server/public/story.ts'
import { isLinkPassword } from './passwords.ts'
import { findOpenLink, findOpenLinkByToken, isShownByLink, noteUse, type OpenLink } from './store.ts'

const COOKIE = 'milepost-link'
const COOKIE_SECONDS = 180 * 24 * 60 * 60
const QUARTER_HOUR_S = 15 * 60
/** Networks from which the password was entered are let in while others guess. */
const TRIES: AttemptLimits = {
  network: { name: 'link passwords', calls: 5, seconds: QUARTER_HOUR_S },
  account: { name: 'link passwords of all', calls: 100, seconds: QUARTER_HOUR_S },
  knownSeconds: 30 * 24 * 60 * 60,
}

/** The path of everything that a link shows. Its id takes the place of the project's, so that readers learn no other. */
export const pathOfLink = (linkId: string) => `/world/${linkId}`

/** A visitor who has opened a link that has not ended. */
export type Visit = {
  linkId: string
  projectId: string
  /** The only entry that the link shows. */
  entryId: string | null
  /** Whether the visitor has yet to enter the password. */
  isLocked: boolean
}

/** A link that was opened, and the cookie with which its browser goes on reading. */
type Opened = { path: string; cookie: string }

/** What visitors of links do. */
export type SharedLinks = {
  /** Opens the link with this token; null if there is none. */
  open(token: string): Promise<Opened | null>
  /** Whether a request comes from a browser that has opened some link under this path. */
  hasOpened(cookies: string | undefined): boolean
  /** Returns the visit of a request; null if its browser has not opened the link, or the link is no longer open. */
  visit(linkId: string, cookies: string | undefined): Promise<Visit | null>
  /** Enters the password of a link. Returns null if it is wrong. Throws `too_many_requests`. */
  unlock(visit: Visit, password: string, ip: string): Promise<Opened | null>
  /** Reads what a link shows as visitors read public projects. */
  reader(visit: Visit): PublicReader
}

type Deps = AppDeps & { publicUrl: string }

/** Creates the functions for visitors of links. */
export function createSharedLinks(deps: Deps): SharedLinks {
  const { db, clock } = deps

  return {
    async open(token) {
      const link = await findOpened(deps, token)
      return link ? opened(deps, link, 'asked') : null
    },

    hasOpened: (cookies) => cookieIn(cookies) !== undefined,

    visit: (linkId, cookies) => findVisit(deps, linkId, cookies),

    async unlock({ linkId }, password, ip) {
      const attempt = await countAttempt(
        { db, now: clock(), limits: TRIES },
        { account: linkId, ip },
        tooManyTries,
      )
      const link = await findOpenLink(db, linkId)
      if (!link?.password_hash) return null
      const client = clientNamed(networkOf(ip))
      if (!(await isLinkPassword(link.password_hash, password, client))) return null
      await attempt.succeeded()
      return opened(deps, link, 'entered')
    },

    reader(visit) {
      const ref = { projectId: visit.projectId, linkId: visit.linkId }
      const links = { ...deps.links, open: addressesOf(visit.linkId) }
      return {
        page: (_linkId, query) => {
          if (visit.entryId !== null) throw notFound('Project')
          return readSharedPage({ ...deps, links }, ref, query)
        },
        entry: ({ entryId }) =>
          readSharedEntry({ ...deps, links }, { ...ref, entryId }, visit.entryId !== null),
        story: (_linkId, query) => {
          if (visit.entryId !== null) throw notFound('Project')
          return readSharedStory({ ...deps, links }, ref, query)
        },
        entries: () => {
          throw notFound('Project')
        },
      }
    },
  }
}

const tooManyTries = (retryAfter: number) =>
  new AppError('too_many_requests', 'Too many passwords were tried. Please wait a quarter of an hour.', {
    retryAfter,
  })

/** Returns the URLs of files under the path of a link, where its cookie is sent. */
const addressesOf = (linkId: string) => (fileId: string, variant: FileVariant) =>
  `${pathOfLink(linkId)}/media/${fileId}/${variant}`

type VisitDeps = Pick<AppDeps, 'db' | 'links'>

/** Returns the link with this token, or the one to which an email leads. */
async function findOpened({ db, links }: VisitDeps, token: string): Promise<OpenLink | undefined> {
  const [linkId = '', proof] = token.split('.')
  if (proof === undefined) return findOpenLinkByToken(db, hashOfToken(token))
  const link = idSchema.safeParse(linkId).success ? await findOpenLink(db, linkId) : undefined
  return link && links.isSigned(provenByEmail(linkId, link.token_hash), proof) ? link : undefined
}

async function findVisit(
  { db, links }: VisitDeps,
  linkId: string,
  cookies: string | undefined,
): Promise<Visit | null> {
  const proof = cookieIn(cookies)
  if (proof === undefined) return null
  const link = await findOpenLink(db, linkId)
  if (!link) return null
  const hasEntered = links.isSigned(proven(link, 'entered'), proof)
  if (!hasEntered && !links.isSigned(proven(link, 'asked'), proof)) return null
  const isLocked = link.password_hash !== null && !hasEntered
  if (!isLocked && !link.used_today) await noteUse(db, link.id)
  return { linkId: link.id, projectId: link.project_id, entryId: link.entry_id, isLocked }
}

/** Returns a ready file that a link shows now. Throws `not_found`. */
export async function readFileOfLink(
  deps: VisitDeps,
  { linkId, fileId }: { linkId: string; fileId: string },
  cookies: string | undefined,
): Promise<Readable['file']> {
  const visit = await findVisit(deps, linkId, cookies)
  if (!visit || visit.isLocked || !(await isShownByLink(deps.db, linkId, fileId))) throw notFound('File')
  return findReadyFile(deps.db, fileId)
}

/** `asked`: the address of the link was opened. `entered`: its password was entered too. */
type Step = 'asked' | 'entered'

/** What a cookie proves. It ends with the address and with the password of the link. */
const proven = ({ id, token_hash: token, password_hash: password }: OpenLink, step: Step) =>
  JSON.stringify(['share link', id, token.toString('base64'), password, step])

function opened({ links, publicUrl }: Deps, link: OpenLink, step: Step): Opened {
  const path = pathOfLink(link.id)
  const isSecure = publicUrl.startsWith('https:')
  const attributes = `Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${COOKIE_SECONDS}${isSecure ? '; Secure' : ''}`
  return { path, cookie: `${COOKIE}=${links.sign(proven(link, step))}; ${attributes}` }
}

const cookieIn = (cookies: string | undefined) => readCookies(cookies)[COOKIE]
