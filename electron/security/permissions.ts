/** Camera, location, USB and the rest: the dashboard needs none, so neither asking nor checking ever succeeds. */
import type { Session } from 'electron';

/** Both handlers: some features only check and never ask. */
export function denyPermissions(session: Pick<Session, 'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler'>): void {
  session.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
}
