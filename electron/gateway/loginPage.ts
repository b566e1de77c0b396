/** The page that asks for the token. Plain HTML: the policy allows no inline style, and the dashboard's files are behind the token. */

export const LOGIN_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { display: grid; place-content: center; min-height: 100vh; margin: 0; }
form { display: grid; gap: 12px; width: min(320px, 90vw); }
input, button { font: inherit; padding: 8px 12px; }
`;

/**
 * `message` is one of our own fixed texts: nothing from the request enters the page. The hidden name is for password managers.
 */
export const loginPage = (message: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Frontrow: log in</title><link rel="stylesheet" href="/login.css"></head>
<body><main>
<h1>Frontrow</h1>
<form method="post" action="/login">
<p role="status">${message}</p>
<input name="user" value="frontrow" autocomplete="username" hidden>
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" maxlength="512" required autofocus>
<button>Open the dashboard</button>
</form>
</main></body>
</html>
`;
