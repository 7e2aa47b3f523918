import { worldQuery } from '#contract/world.ts'

/** Which part of a project an address asks for; what makes no sense there is as if it were not. */
export function wishIn(params: URLSearchParams) {
  const { milestone, page } = worldQuery.shape
  return {
    milestone: milestone.safeParse(params.get('milestone') ?? undefined).data,
    page: page.safeParse(params.get('page') ?? undefined).data ?? 1,
  }
}
