import { portOf, repeat } from './requests.ts'
import { alternate, costOfEach, figureOf, milliseconds, type Row } from './row.ts'
import { writer } from './workload.ts'

const TIMES = 4_000

/** The CPU time of a request with an access token, compared to that of the same request in a session. */
export const accessToken: Row = {
  name: 'access-token',
  what: 'a request with an access token ÷ the same in a session',
  aim: { atMost: 1.1 },
  async measure(stage) {
    const server = await stage.server({ DATABASE_URL: await stage.database() })
    const { account, headers, projectId } = await writer(server.url, 0)
    const { token } = await account.call('createAccessToken', {
      body: { name: 'Bench', scopes: ['read'], days: null },
    })
    const request = { port: portOf(server.url), path: `/api/projects/${projectId}` }
    const cost = (sent: Record<string, string>) =>
      costOfEach(server.pid, TIMES, () => repeat({ ...request, headers: sent }, TIMES, 200))
    const rounds = await alternate(
      () => cost({ authorization: `Bearer ${token}` }),
      () => cost(headers),
    )
    return figureOf(rounds, ({ ours, baseline }) => ours / baseline, milliseconds)
  },
}
