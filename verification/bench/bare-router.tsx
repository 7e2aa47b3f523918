import { hydrateRoot } from 'react-dom/client'
import { createBrowserRouter, Link, Outlet } from 'react-router'
import { RouterProvider } from 'react-router/dom'

/** The smallest application of react-dom and react-router, whose script size is the baseline. */
const router = createBrowserRouter([
  {
    path: '/',
    Component: () => (
      <>
        <Link to="/there">There</Link>
        <Outlet />
      </>
    ),
    children: [{ path: 'there', Component: () => 'There' }],
  },
])

hydrateRoot(document, <RouterProvider router={router} />)
