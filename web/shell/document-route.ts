import { redirectDocument } from 'react-router'
import type { Route } from './+types/document-route'
import { loadDocument } from './load-document.ts'

/** Loads the document at a path that the app has no screen for: a public page, or the page of a path that does not exist. */
export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadDocument(request.url)
}

/** For a browser with an older build, which requests the data of a screen that is a public page now. */
export function loader({ request }: Route.LoaderArgs) {
  return redirectDocument(new URL(request.url).pathname + new URL(request.url).search)
}

export default function Elsewhere() {
  return null
}
