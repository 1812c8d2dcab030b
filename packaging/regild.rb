# SPDX-License-Identifier: Apache-2.0
# A formula for a tap of Homebrew's. A release fills in what is between @. Not tried on macOS.
class Regild < Formula
  desc "Refresh the golden values that a project keeps in git"
  homepage "https://github.com/@REPOSITORY@"
  url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/regild-@VERSION@.tar.gz"
  sha256 "@SHA256_SOURCE@"
  license "Apache-2.0"

  depends_on "make" => :build # GNU make 4; macOS has 3.81
  depends_on "pkg-config" => :build
  depends_on "cjson"
  depends_on "curl"
  depends_on "libarchive"
  depends_on "libgit2"
  depends_on "libyaml"
  depends_on "minizip"
  depends_on "openssl@3"
  depends_on "sqlite"
  depends_on "zlib"

  def install
    # curl, libarchive and SQLite are keg-only.
    %w[curl libarchive sqlite].each { |name| ENV.prepend_path "PKG_CONFIG_PATH", Formula[name].opt_lib/"pkgconfig" }
    system "gmake", "CC=#{ENV.cc}", "PREFIX=#{prefix}", "install"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/regild --version")
    (testpath/"golden.json").write '{"loss": {"1": 1.5}}'
    system bin/"regild", "compare", "golden.json", "golden.json"
  end
end
