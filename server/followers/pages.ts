import { EMAIL_MAX } from '#contract/email.ts'
import { id } from '#contract/parts/wire.ts'
import type { EmailChoice, Page } from '#contract/rendering.ts'
import { emailChoiceRoutes } from '#server/pages/email-choices.ts'
import { formOf, formRoutes, isFromElsewhere } from '#server/pages/forms.ts'
import type { FeaturePages, PageMounting } from '#server/pages/sources.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { readWorldPage } from '#server/public/service.ts'
import { createFollowing } from './following.ts'

/** A form with the longest email, each character of which may be sent as twelve. */
const FORM_BYTES_MAX = 12 * EMAIL_MAX + 100
const FIRST = { milestone: undefined, tag: undefined, order: 'oldest', page: 1 } as const

/** The pages on which people follow a public project by email, confirm it, and stop the emails. */
export function followerPages(mounting: PageMounting): FeaturePages {
  const { scope, deps, sendPrivate } = mounting
  const following = createFollowing(deps)
  const projectOf = async (projectId: string) => (await readWorldPage(deps, projectId, FIRST)).project
  const read = async (projectId: string): Promise<Page> => ({
    kind: 'follow',
    project: await projectOf(projectId),
  })

  emailChoiceRoutes(mounting, '/follow/:id/:proof', async ({ id, proof }, isPressed) => {
    const found = await following[isPressed ? 'decide' : 'read']('confirm', id, proof)
    if (!found?.project) return null
    const { project, isConfirmed, isShared } = found
    return { step: isConfirmed ? 'confirmed' : 'confirm', project, isShared }
  })
  emailChoiceRoutes(
    mounting,
    '/unsubscribe/follower/:id/:proof',
    async ({ id, proof }, isPressed): Promise<EmailChoice | null> => {
      const found = await following[isPressed ? 'decide' : 'read']('stop', id, proof)
      return found && { step: isPressed ? 'stopped' : 'stop', emails: 'follower', project: found.project }
    },
  )

  async function follow(projectId: string, { email, ip }: { email: string; ip: string }): Promise<Page> {
    const project = await projectOf(projectId)
    const asked = await following.ask(projectId, { email: email.slice(0, 2 * EMAIL_MAX), ip })
    if (asked.outcome === 'asked') {
      const path = `/world/${projectId}`
      return { kind: 'email choice', choice: { step: 'asked', project: { title: project.title, path } } }
    }
    const { outcome, sentence } = asked
    const status = outcome === 'too many' ? 429 : 400
    return { kind: 'follow', project, refused: { status, sentence, email } }
  }

  formRoutes(scope, FORM_BYTES_MAX, (forms) => {
    forms.post<{ Params: { projectId: string } }>(
      '/world/:projectId/follow',
      { config: { takesForm: true } },
      async (request, reply) => {
        const projectId = id.safeParse(request.params.projectId).data
        const asked = { email: formOf(request)?.get('email') ?? '', ip: request.ip }
        if (projectId === undefined) return sendPrivate(request, reply, missing)
        try {
          const page = isFromElsewhere(request) ? read(projectId) : follow(projectId, asked)
          return await sendPrivate(request, reply, await page)
        } catch (error) {
          if (!(error instanceof AppError && error.code === 'not_found')) throw error
          return sendPrivate(request, reply, missing)
        }
      },
    )
  })

  return { sources: { follow: { missing, read: ({ values: { projectId = '' } }) => read(projectId) } } }
}

const missing = { kind: 'missing', what: 'project' } as const
