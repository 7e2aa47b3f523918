import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { ShowEarlier } from './pagination.tsx'

const query = {
  hasNextPage: true,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  fetchNextPage: () => Promise.reject(new Error('not pressed here')),
}
const render = (state: Partial<typeof query>) =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <ShowEarlier query={{ ...query, ...state }} />
    </QueryClientProvider>,
  )

describe('the button that shows earlier rows', () => {
  it('is shown while there are any', () => {
    expect(render({})).toContain('Show earlier')
    expect(render({})).not.toContain('alert')
    expect(render({ hasNextPage: false })).toBe('')
  })

  it('shows that they could not be fetched, and can be pressed again', () => {
    const failed = render({ isFetchNextPageError: true })
    expect(failed).toContain('role="alert"')
    expect(failed).toContain('could not be fetched')
    expect(failed).toContain('Show earlier')
  })
})
