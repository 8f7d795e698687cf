import type { ComponentChildren } from 'preact'
import { Tab } from '../layout.js'

/** The layout of the administration pages. */
export const Administration = ({ children }: { children: ComponentChildren }) => (
  <>
    <h1>Administration</h1>
    <nav class='tabs' aria-label='Administration'>
      <Tab path='/administration' exact>Overview</Tab>
      <Tab path='/administration/users'>Users</Tab>
      <Tab path='/administration/jobs'>Jobs</Tab>
      <Tab path='/administration/service'>Service</Tab>
    </nav>
    {children}
  </>
)
