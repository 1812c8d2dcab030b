regild --version
