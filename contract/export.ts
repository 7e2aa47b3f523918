import { z } from 'zod'
import { defineCalls } from './parts/call.ts'
import { date, fields, flag, mustBeOneOf } from './parts/wire.ts'

export const EXPORT_FORMATS = ['archive', 'md', 'epub', 'site'] as const
/**
 * `archive`: everything as files and as JSON, which another Milepost imports; `md`: Markdown with front matter and the files beside it;
 * `epub`: a book of what is published, of everything one for each project; `site`: the pages of what is published as files that need no server.
 */
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** What is exported: everything of the caller, a project, or an entry. */
export const exportScope = z.union(
  [z.literal('account'), z.object({ project: z.uuid() }).strict(), z.object({ entry: z.uuid() }).strict()],
  { error: 'scope must be "account", {"project": id} or {"entry": id}' },
)
export type ExportScope = z.infer<typeof exportScope>

type ScopeKind = 'account' | 'project' | 'entry'
export const scopeKind = (scope: ExportScope): ScopeKind =>
  scope === 'account' ? scope : 'project' in scope ? 'project' : 'entry'

/** The formats of each scope; the first is the default. */
export const FORMATS_OF: Record<ScopeKind, readonly [ExportFormat, ...ExportFormat[]]> = {
  account: ['archive', 'md', 'epub', 'site'],
  project: ['archive', 'md', 'epub', 'site'],
  entry: ['md', 'epub'],
}

const SITE_ADDRESS_MAX = 2_000
const NOT_AN_ADDRESS = 'The address of the site must begin with https:// or http://'

/** A web address, which ends with a slash from then on. */
const siteAddress = z
  .string({ error: NOT_AN_ADDRESS })
  .trim()
  .max(SITE_ADDRESS_MAX, { error: `The address of the site can have at most ${SITE_ADDRESS_MAX} characters` })
  .transform((text, context) => {
    const url = webAddressIn(text)
    // Feeds have it as it is.
    if (url) return url.origin + url.pathname.replaceAll('&', '%26').replace(/\/*$/, '/')
    context.addIssue({ code: 'custom', message: NOT_AN_ADDRESS })
    return z.NEVER
  })

function webAddressIn(text: string): URL | null {
  if (!/^https?:\/\//i.test(text)) return null
  try {
    return new URL(text)
  } catch {
    return null // no address at all
  }
}

/** The format is by default the first one of the scope. */
export const exportRequest = fields({
  scope: exportScope.default('account'),
  format: z.enum(EXPORT_FORMATS, { error: mustBeOneOf('format', EXPORT_FORMATS) }).optional(),
  /** The address where a site will be. With it, the site has feeds and tells search engines its addresses. */
  base: siteAddress.optional(),
  /** Whether a site has a page that searches it, with a script. */
  search: flag('search'),
  /** Whether an archive has the earlier versions of entries, too. */
  history: flag('history'),
}).superRefine(({ scope, format, base, search, history }, context) => {
  const kind = scopeKind(scope)
  if (base !== undefined && format !== 'site')
    context.addIssue({ code: 'custom', path: ['base'], message: 'Only a site has an address' })
  if (search && format !== 'site')
    context.addIssue({ code: 'custom', path: ['search'], message: 'Only a site has a search' })
  if (history && (format ?? FORMATS_OF[kind][0]) !== 'archive')
    context.addIssue({ code: 'custom', path: ['history'], message: 'Only an archive has earlier versions' })
  if (format !== undefined && !FORMATS_OF[kind].includes(format))
    context.addIssue({
      code: 'custom',
      path: ['format'],
      message: `The scope “${kind}” has no format “${format}”, but ${FORMATS_OF[kind].join(', ')}`,
    })
})
export type ExportRequest = z.output<typeof exportRequest>

export const exportCalls = defineCalls({
  prepareExport: {
    method: 'POST',
    path: '/api/exports',
    who: 'signed-in',
    scope: 'read',
    summary: 'A URL at which an entry, a project, or everything of mine can be downloaded',
    body: exportRequest,
    responses: {
      200: z.object({
        /** A path of this server, valid for a minute. The file is created while it is downloaded. */
        url: z.string(),
        expiresAt: date,
      }),
    },
  },
})
