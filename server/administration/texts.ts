import type { Instance, Terms } from '#contract/administration.ts'
import type { IdentityOptions } from '#contract/identity.ts'
import type { Db } from '#server/database/rows.ts'
import type { Renderer } from '#server/markdown/renderer.ts'
import { notFound } from '#server/platform/api/errors.ts'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import { type CachedSetting, createCachedSetting } from './cached-setting.ts'
import { findTexts } from './store.ts'

/** The path of the terms that administrators have written. */
const TERMS_PATH = '/terms'

/** A text that administrators have written, or null, and its version; 1 if it was never set. */
export type VersionedText = { text: string | null; version: number }

/** The texts that administrators write: the announcement above the pages, and the terms. */
export type Texts = CachedSetting<Pick<IdentityOptions, 'announcement' | 'termsUrl'>> & {
  /** Returns the current texts, for administrators. */
  read(
    db: Db,
  ): Promise<{ announcement: VersionedText; terms: VersionedText; termsFrom: Instance['termsFrom'] }>
  /** The operator's setting. If it is set, administrators cannot write terms. */
  termsUrl: string | undefined
}

type Options = { db: Db; clock: () => Date; termsUrl?: string | undefined }

export function createTexts({ db, clock, termsUrl }: Options): Texts {
  async function readShown() {
    const { announcement = null, announcement_id: id = null, terms = null } = (await findTexts(db)) ?? {}
    const url = termsUrl ?? (terms === null ? undefined : TERMS_PATH)
    return {
      ...(url !== undefined && { termsUrl: url }),
      ...(announcement !== null && id !== null && { announcement: { id, text: announcement } }),
    }
  }

  return {
    ...createCachedSetting(readShown, clock),
    async read(on) {
      const row = await findTexts(on)
      const announcement = { text: row?.announcement ?? null, version: row?.announcement_version ?? 1 }
      const terms = { text: row?.terms ?? null, version: row?.terms_version ?? 1 }
      if (termsUrl !== undefined) return { announcement, terms, termsFrom: 'settings' }
      return { announcement, terms, termsFrom: terms.text === null ? 'unset' : 'administrators' }
    },
    termsUrl,
  }
}

/**
 * Returns a function that reads the administrators' terms. They are rendered for the first reader, and again after they have
 * changed. The function throws `not_found` if there are none, or if the operator's setting contains their URL.
 */
export function createTermsReader({ db, renderer, texts }: { db: Db; renderer: Renderer; texts: Texts }) {
  let rendered: { text: string; html: Promise<string> } | undefined

  async function render(text: string): Promise<string> {
    if (rendered?.text !== text)
      rendered = { text, html: renderer.render(clientNamed('terms'), text).then(({ html }) => html) }
    try {
      return await rendered.html
    } catch (error) {
      rendered = undefined
      throw error
    }
  }

  return async (): Promise<Terms> => {
    const {
      terms = null,
      terms_changed_at: changedAt = null,
      terms_version: version = 1,
    } = (await findTexts(db)) ?? {}
    if (texts.termsUrl !== undefined || terms === null || changedAt === null) throw notFound('Terms')
    return { text: terms, html: await render(terms), changedAt: changedAt.toISOString(), version }
  }
}
