import { emailChoiceRoutes } from '#server/pages/email-choices.ts'
import type { FeaturePages, PageMounting } from '#server/pages/sources.ts'
import { createNewsStopping } from './stopping.ts'

/** The page on which a member stops emails about the news of their projects. */
export function newsEmailPages(mounting: PageMounting): FeaturePages {
  const stopping = createNewsStopping(mounting.deps)
  emailChoiceRoutes(mounting, '/unsubscribe/:kind/:id/:proof', async ({ kind, id, proof }, isPressed) => {
    if (kind !== 'daily' && kind !== 'mention') return null
    const isFound = await stopping[isPressed ? 'stop' : 'isValid'](kind, id, proof)
    return isFound ? { step: isPressed ? 'stopped' : 'stop', emails: kind } : null
  })
  return {}
}
