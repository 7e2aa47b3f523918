import { expect, test } from 'vitest'
import { codeOf, type Routes } from './screen-code.ts'

const routes: Routes = {
  root: { id: 'root', path: '', module: '/root.js', imports: ['/react.js'] },
  guard: { id: 'guard', parentId: 'root', module: '/guard.js', imports: ['/react.js'] },
  home: { id: 'home', parentId: 'root', index: true, module: '/home.js', css: ['/home.css'] },
  project: {
    id: 'project',
    parentId: 'guard',
    path: 'projects/:projectId',
    module: '/project.js',
    imports: ['/react.js', '/list.js'],
  },
  missing: { id: 'missing', parentId: 'root', path: '*', module: '/missing.js' },
}
const codeAt = (pathname: string, ...loaded: string[]) =>
  codeOf(routes, pathname, (id) => loaded.includes(id))

test('a screen needs its modules, those of its layouts, and its styles', () => {
  expect(codeAt('/projects/1', 'root')).toEqual(['/guard.js', '/project.js', '/list.js'])
  expect(codeAt('/projects/1', 'root', 'guard')).toEqual(['/project.js', '/list.js'])
  expect(codeAt('/', 'root')).toEqual(['/home.js', '/home.css'])
  expect(codeAt('/nowhere', 'root')).toEqual(['/missing.js'])
})

test('a screen that is loaded needs nothing', () => {
  expect(codeAt('/projects/2', 'root', 'guard', 'project')).toEqual([])
})
