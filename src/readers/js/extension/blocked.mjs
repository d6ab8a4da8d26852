const page = new URLSearchParams(location.search), url = page.get("url") ?? "";
document.getElementById("why").textContent = page.get("why");
document.getElementById("url").textContent = url;
document.getElementById("back").onclick = () => history.length > 2 ? history.go(-2) : window.close();
document.getElementById("on").onclick = async () => {
  if (!/^https?:/.test(url)) return;
  await chrome.runtime.sendMessage({ allow: new URL(url).hostname });
  location.replace(url);
};
